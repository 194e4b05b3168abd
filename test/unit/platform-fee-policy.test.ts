import { describe, expect, test } from 'bun:test';
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { policyViolation } from '../../src/intents/policy.ts';

const [payer, payee, other] = [0, 0, 0].map(() => Keypair.generate().publicKey);
if (payer === undefined || payee === undefined || other === undefined) throw new Error('no keys');
const lamports = 1_234_567n;
const policy = {
  allowedPrograms: [],
  maxComputeUnitPrice: null,
  requireSimulation: false,
  platformFee: { account: payee.toBase58(), lamports: String(lamports) },
};

function violation(...transfers: Parameters<typeof SystemProgram.transfer>[0][]): string | null {
  const message = new TransactionMessage({
    payerKey: payer ?? expect.unreachable(),
    recentBlockhash: other?.toBase58() ?? '',
    instructions: transfers.map((transfer) => SystemProgram.transfer(transfer)),
  }).compileToV0Message();
  return policyViolation(new VersionedTransaction(message).serialize(), policy);
}

describe('a policy with a platform fee', () => {
  const paid = { fromPubkey: payer, toPubkey: payee, lamports };

  test('allows the transaction that pays it, wherever among its instructions', () => {
    expect(violation(paid)).toBeNull();
    expect(violation({ ...paid, toPubkey: other }, paid, { ...paid, lamports: 1n })).toBeNull();
  });

  test.each([
    ['nothing', []],
    ['another amount', [{ ...paid, lamports: lamports - 1n }]],
    ['more', [{ ...paid, lamports: lamports + 1n }]],
    ['another account', [{ ...paid, toPubkey: other }]],
    ['the payer', [{ ...paid, toPubkey: payer }]],
    ['it from somebody else', [{ ...paid, fromPubkey: other }]],
  ])('refuses one that pays %s', (_what, transfers) => {
    expect(violation(...transfers)).toBe(
      `the payment of ${lamports} lamports to ${payee.toBase58()} is missing`,
    );
  });
});

test('a policy without one demands nothing', () => {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: other.toBase58(),
    instructions: [],
  }).compileToV0Message();
  const { platformFee: _, ...without } = policy;
  expect(policyViolation(new VersionedTransaction(message).serialize(), without)).toBeNull();
});
