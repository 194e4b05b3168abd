import { SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import type { StoredAccount } from './vm.ts';

const COUNT = 4;

/** Accounts that take the tips of this chain's landing services: the same on every chain. Nobody has their keys. */
export const SANDBOX_TIP_ACCOUNTS: readonly string[] = Array.from({ length: COUNT }, (_, index) =>
  encodeBase58(new Bun.CryptoHasher('sha256').update(`sandbox tip account ${index + 1}`).digest()),
);

/** They exist from the start: a small tip to a new account would leave it below its rent. */
export function openTipAccounts(
  ledger: {
    readonly vm: { getAccount(address: string): StoredAccount | null };
    setAccount(address: string, account: StoredAccount): void;
  },
  addresses: readonly string[],
): void {
  for (const address of addresses)
    if (ledger.vm.getAccount(address) === null)
      ledger.setAccount(address, {
        lamports: 1_000_000_000n,
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array(0),
        executable: false,
        rentEpoch: 0n,
      });
}
