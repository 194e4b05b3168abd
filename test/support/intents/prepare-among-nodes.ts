import { randomBytes } from 'node:crypto';
import { readPosition } from '../../../src/chain/node-trust/believed-position.ts';
import { paceOf } from '../../../src/chain/pace/measured-pace.ts';
import type { ChainRpc } from '../../../src/chain/rpc.ts';
import { createBlockhashSource } from '../../../src/chain/transactions/latest-blockhash.ts';
import { checkPreparation } from '../../../src/features/transaction-intents/preparation/check-preparation.ts';
import { openPolicy } from '../../../src/features/transaction-intents/preparation/preparation.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import type { Fate } from '../chain/model-chain.ts';
import { unsignedTransfer } from './intent-transactions.ts';
import { type NodeTrustStage, type StoredIntent, UNTIMED_EXPIRY_MS } from './node-trust-stage.ts';
import { insertIntent } from './submitted-intent.ts';

const TIMED_EXPIRY_MS = 3_600_000;

/** The origin of an intent's height: a swap's blockhash source, a caller with an error of `wrongBy` blocks,
 * or nodes. */
export type HeightOrigin = { from: 'source' } | { from: 'caller'; wrongBy: bigint } | { from: 'nodes' };

/** A submitted intent whose height comes from the nodes, as in production; null when the preparation
 * failed. */
export async function prepareAmongNodes(
  stage: NodeTrustStage,
  rpcs: readonly ChainRpc[],
  origin: HeightOrigin,
  fate: Fate,
): Promise<StoredIntent | null> {
  const prepared =
    origin.from === 'source'
      ? await fromSource(stage, rpcs)
      : await fromPreparation(stage, rpcs, origin.from === 'caller' ? origin.wrongBy : null);
  if (prepared === null) return null;
  const { blockhash, lastValidBlockHeight, transaction } = prepared;
  // These tests verify no signatures.
  transaction.set(randomBytes(64), 1);
  const signature = encodeBase58(transaction.subarray(1, 65));
  const lastValid = stage.chain.lastValidOf(blockhash);
  stage.chain.add(signature, lastValid, fate);
  const now = stage.clock.now();
  // The worker gives up an unsent intent at its expiry while no node responds. These tests need the window to
  // decide.
  const lifeMs = lastValidBlockHeight === null ? UNTIMED_EXPIRY_MS : TIMED_EXPIRY_MS;
  const expiresAt = new Date(now.getTime() + lifeMs);
  const id = await insertIntent(stage.db, stage.accountId, {
    transaction,
    lastValidBlockHeight,
    expiresAt,
    now,
  });
  return { id, signature, lastValid };
}

async function fromSource(stage: NodeTrustStage, rpcs: readonly ChainRpc[]) {
  // The chain head's loop does the same.
  await Promise.all(rpcs.map((rpc) => readPosition(rpc, 1_000, stage.clock)));
  const chainHead = {
    current: () => stage.believedHead(rpcs),
    identity: () => ({ genesisHash: 'of a public cluster', cluster: 'mainnet-beta' as const }),
    pace: () => paceOf(rpcs),
    run: async () => {},
  };
  const latest = await createBlockhashSource({ rpcs, chainHead, clock: stage.clock }).latest();
  if (latest === null) return null;
  return { ...latest, transaction: unsignedTransfer(stage.wallet, { blockhash: latest.blockhash }) };
}

/** @param wrongBy null when the caller gives no height */
async function fromPreparation(stage: NodeTrustStage, rpcs: readonly ChainRpc[], wrongBy: bigint | null) {
  const blockhash = stage.chain.blockhashOf(stage.chain.height);
  const transaction = unsignedTransfer(stage.wallet, { blockhash });
  const given = wrongBy === null ? null : stage.chain.lastValidOf(blockhash) + wrongBy;
  const { lastValidBlockHeight } = await checkPreparation(
    {
      accountId: stage.accountId,
      kind: 'transfer',
      expectedSigner: stage.wallet.toBase58(),
      transaction,
      policy: openPolicy,
      lastValidBlockHeight: given,
      expiresInMs: UNTIMED_EXPIRY_MS,
    },
    rpcs,
    stage.clock,
  );
  return { blockhash, lastValidBlockHeight, transaction };
}
