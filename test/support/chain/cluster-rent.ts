import type { SandboxChain } from '../../../sandbox/chain/server.ts';
import { EPOCH_SCHEDULE_SYSVAR, RENT_SYSVAR } from '../../../src/chain/accounts/sysvars.ts';

type Ledger = SandboxChain['ledger'];

/** Lamports that an account with this many bytes of data must hold on the chain. */
export const rentOn = ({ vm }: Pick<Ledger, 'vm'>, bytes: number): bigint => vm.rentExemptLamports(bytes);

/** Changes the rent of the chain at once, as the first slot of an epoch does. */
export function setRent(ledger: Ledger, lamportsPerByte: bigint): void {
  const data = Buffer.alloc(17);
  data.writeBigUInt64LE(lamportsPerByte, 0);
  data.writeDoubleLE(1, 8);
  replaceData(ledger, RENT_SYSVAR, data);
}

/** Makes every epoch of the chain this many slots long, from slot 0 on. */
export function setEpochSlots(ledger: Ledger, slots: bigint): void {
  const data = Buffer.alloc(33);
  data.writeBigUInt64LE(slots, 0);
  data.writeBigUInt64LE(slots, 8);
  replaceData(ledger, EPOCH_SCHEDULE_SYSVAR, data);
}

function replaceData(ledger: Ledger, address: string, data: Uint8Array): void {
  const account = ledger.vm.getAccount(address);
  if (account === null) throw new Error(`the chain has no ${address}`);
  ledger.setAccount(address, { ...account, data });
}
