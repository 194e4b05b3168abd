import { expect, test } from 'bun:test';
import { SPL_TOKEN, SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { feeAccountFault } from '../../src/features/trading/fee-account.ts';

const rentOf = (bytes: number) => 890_880n + BigInt(bytes) * 6_960n;
const plain = { owner: SYSTEM_PROGRAM, data: Buffer.alloc(0) };
const holding = (lamports: bigint) => ({ ...plain, lamports });

test('an account of platform fees holds at least the rent of an account without data', () => {
  expect(feeAccountFault(holding(rentOf(0)), rentOf)).toBeNull();
  expect(feeAccountFault(holding(rentOf(0) - 1n), rentOf)).toContain(`${rentOf(0)} lamports`);
  expect(feeAccountFault(null, rentOf)).toContain(`${rentOf(0)} lamports`);
});

test('and belongs to no program', () => {
  const lamports = rentOf(165);
  expect(feeAccountFault({ ...holding(lamports), owner: SPL_TOKEN }, rentOf)).toContain('of a program');
  expect(feeAccountFault({ ...holding(lamports), data: Buffer.alloc(1) }, rentOf)).toContain('of a program');
});
