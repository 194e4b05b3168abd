import { type Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { untilTrue } from '../market/launch.ts';
import type { SolanaRpc } from '../solana-rpc.ts';

export interface Payment {
  readonly to: string;
  readonly lamports: bigint;
}

/** Payments that landed together; each stands at its place in the list as an instruction. */
export interface LandedPayments {
  readonly signature: string;
  readonly slot: bigint;
  /** RFC 3339, in whole seconds. */
  readonly blockTime: string;
}

/** Pays in one transaction and waits until it is confirmed. Throws when it failed or did not land. */
export async function pay(
  payer: Keypair,
  payments: readonly Payment[],
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<LandedPayments> {
  const { blockhash } = await rpc.latestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash });
  for (const { to, lamports } of payments) {
    const transfer = { fromPubkey: payer.publicKey, toPubkey: new PublicKey(to), lamports };
    transaction.add(SystemProgram.transfer(transfer));
  }
  transaction.sign(payer);
  const signature = await rpc.send(transaction.serialize());
  let slot: bigint | undefined;
  await untilTrue(async () => {
    slot = await rpc.confirmedSlot(signature);
    return slot !== undefined;
  }, signal);
  if (slot === undefined) throw new Error('a confirmed payment has no slot');
  return { signature, slot, blockTime: await rpc.blockTime(slot) };
}
