import { type Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { waitUntil } from '../market/wait-until.ts';
import { signTransaction } from '../shared/sign-transaction.ts';
import type { SolanaRpc } from '../shared/solana-rpc.ts';

export interface Payment {
  readonly to: string;
  readonly lamports: bigint;
}

/** Payments that landed in one transaction, one instruction each, in the order of the list. */
export interface LandedPayments {
  readonly signature: string;
  readonly slot: bigint;
  /** RFC 3339, in whole seconds. */
  readonly blockTime: string;
}

/** A signed transaction. It lands at most once, however often it is sent. */
export interface PreparedPayments {
  readonly wire: Uint8Array;
  readonly signature: string;
  /** The transaction can land while this blockhash is valid. */
  readonly blockhash: string;
}

/** Pays in one transaction and waits until it is confirmed. Throws when it failed or did not land. */
export async function pay(
  payer: Keypair,
  payments: readonly Payment[],
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<LandedPayments> {
  return landPayments(await preparePayments(payer, payments, rpc), rpc, signal);
}

export async function preparePayments(
  payer: Keypair,
  payments: readonly Payment[],
  rpc: SolanaRpc,
): Promise<PreparedPayments> {
  const { blockhash } = await rpc.latestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash });
  for (const { to, lamports } of payments) {
    const transfer = { fromPubkey: payer.publicKey, toPubkey: new PublicKey(to), lamports };
    transaction.add(SystemProgram.transfer(transfer));
  }
  const wire = signTransaction(transaction, [payer]);
  if (transaction.signature === null) throw new Error('a signed transaction has no signature');
  return { wire, signature: encodeBase58(transaction.signature), blockhash };
}

/** Sends and waits until it is confirmed. Throws when it failed or has not landed in time; it may still land then. */
export async function landPayments(
  { wire, signature }: PreparedPayments,
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<LandedPayments> {
  await rpc.send(wire);
  let slot: bigint | undefined;
  await waitUntil(async () => {
    slot = await rpc.confirmedSlot(signature);
    return slot !== undefined;
  }, signal);
  if (slot === undefined) throw new Error('a confirmed payment has no slot');
  return { signature, slot, blockTime: await rpc.blockTime(slot) };
}
