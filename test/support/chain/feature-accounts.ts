import type { SandboxChain } from '../../../sandbox/chain/server.ts';
import { FEATURE_PROGRAM } from '../../../src/chain/accounts/programs.ts';

/** The data of a feature account: since which slot it is active, or null while it waits for the next epoch. */
export function featureData(activeSince: bigint | null): Buffer {
  const data = Buffer.alloc(9);
  if (activeSince === null) return data;
  data[0] = 1;
  data.writeBigUInt64LE(activeSince, 1);
  return data;
}

/** Puts a feature account on the sandbox chain, where no transaction can make one. */
export function setFeature(chain: SandboxChain, address: string, activeSince: bigint | null): void {
  chain.ledger.setAccount(address, {
    owner: FEATURE_PROGRAM,
    data: featureData(activeSince),
    lamports: 953_520n,
    executable: false,
    rentEpoch: 0n,
  });
  chain.advanceSlots(2);
}
