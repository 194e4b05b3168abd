import { type Keypair, Transaction, type TransactionInstruction } from '@solana/web3.js';
import type { Ledger } from '../../sandbox/chain/ledger.ts';
import { parseTransaction } from '../../sandbox/chain/wire-transaction.ts';

/** Lands a transaction with one signer at once. Returns its signature and its custom error, if any. */
export function landSigned(
  ledger: Ledger,
  signer: Keypair,
  instructions: readonly TransactionInstruction[],
): { signature: string; error: number | null } {
  const transaction = new Transaction({
    feePayer: signer.publicKey,
    blockhash: ledger.ring.hashOf(ledger.slot),
    lastValidBlockHeight: 0,
  });
  transaction.add(...instructions);
  transaction.sign(signer);
  const wire = parseTransaction(transaction.serialize());
  const { landed, err } = ledger.land(wire);
  if (!landed) throw new Error(`refused without a trace: ${JSON.stringify(err)}`);
  return { signature: wire.signature, error: customErrorOf(err) };
}

function customErrorOf(err: unknown): number | null {
  if (err === null) return null;
  const custom = /"Custom":(\d+)/.exec(JSON.stringify(err))?.[1];
  if (custom === undefined) throw new Error(`not a custom error: ${JSON.stringify(err)}`);
  return Number(custom);
}
