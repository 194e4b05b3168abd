import { type IngestKind, ingestKinds, ingestSubject } from '../../shared/bus/topology.ts';
import type { IngestDependencies } from './dependencies.ts';
import { applyFeeClaimables, checkFeeClaimable } from './kinds/fee-claimable.ts';
import { applyFeeDistributions, checkFeeDistribution } from './kinds/fee-distribution.ts';
import {
  applyPresaleMovements,
  checkPresaleClaim,
  checkPresaleDeposit,
  checkPresaleRefund,
} from './kinds/presale-movement.ts';
import { applySourceProofs, checkSourceProof } from './kinds/source-proof.ts';
import { applyStakingPositions, checkStakingPosition } from './kinds/staking-position.ts';
import { applyTokens, checkToken } from './kinds/token.ts';
import {
  applyFeeStates,
  applyHolderCounts,
  applyLiquidityLocks,
  applyStakingPools,
  checkFeeState,
  checkHolderCount,
  checkLiquidityLock,
  checkStakingPool,
} from './kinds/token-facts.ts';
import { applyTrades, checkTrade } from './kinds/trade.ts';
import { applyReversals, checkReversal } from './kinds/trade-reverted.ts';
import type { Checked, Verdict } from './verdict.ts';
import type { WaitingProofs } from './waiting-proofs.ts';

/** A message as it was received from the stream. */
export interface IngestMessage {
  subject: string;
  data: Uint8Array;
  /** Its sequence number in the stream. */
  seq: number;
}

interface KindHandler<Message> {
  check(value: unknown): Checked<Message>;
  /** Returns one verdict for each message, in order. `sequence` has their numbers in the stream. */
  apply(
    dependencies: BatchDependencies,
    messages: readonly Message[],
    sequence: readonly number[],
  ): Promise<Verdict[]>;
}

interface BatchDependencies extends IngestDependencies {
  waitingProofs: WaitingProofs;
}

const handlers: Readonly<
  Record<IngestKind, (dependencies: BatchDependencies, values: Entry[]) => Promise<void>>
> = {
  token: handle({ check: checkToken, apply: applyTokens }),
  holder_count: handle({ check: checkHolderCount, apply: applyHolderCounts }),
  liquidity_lock: handle({ check: checkLiquidityLock, apply: applyLiquidityLocks }),
  trade: handle({ check: checkTrade, apply: applyTrades }),
  trade_reverted: handle({ check: checkReversal, apply: applyReversals }),
  staking_pool: handle({ check: checkStakingPool, apply: applyStakingPools }),
  staking_position: handle({ check: checkStakingPosition, apply: applyStakingPositions }),
  fee_state: handle({ check: checkFeeState, apply: applyFeeStates }),
  fee_claimable: handle({ check: checkFeeClaimable, apply: applyFeeClaimables }),
  fee_distribution: handle({ check: checkFeeDistribution, apply: applyFeeDistributions }),
  presale_deposit: handle({ check: checkPresaleDeposit, apply: applyPresaleMovements }),
  presale_refund: handle({ check: checkPresaleRefund, apply: applyPresaleMovements }),
  presale_claim: handle({ check: checkPresaleClaim, apply: applyPresaleMovements }),
  source_proof: handle({ check: checkSourceProof, apply: applySourceProofs }),
};

interface Entry {
  seq: number;
  value: unknown;
  verdict: Verdict | null;
}

/**
 * Validates and applies messages. Returns a verdict for each, in order. Kinds are applied in the order of
 * `ingestKinds`, so that a token, its first trade and the trade's reversal may come in one batch. Throws when
 * the database is unavailable: some whole transactions may be committed then, and the batch may be repeated.
 *
 * @param waitingProofs takes the source proofs, which are stored later.
 */
export async function applyBatch(
  dependencies: IngestDependencies,
  messages: readonly IngestMessage[],
  waitingProofs: WaitingProofs,
): Promise<Verdict[]> {
  const entries = messages.map(decode);
  for (const kind of ingestKinds) {
    const subject = ingestSubject(kind);
    const ofKind = entries.filter((entry, at) => entry.verdict === null && messages[at]?.subject === subject);
    await handlers[kind]({ ...dependencies, waitingProofs }, ofKind);
  }
  return entries.map(
    ({ verdict }) => verdict ?? { outcome: 'rejected', reason: 'unknown_kind', detail: 'no such subject' },
  );
}

function decode({ seq, data }: IngestMessage): Entry {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
    return { seq, value, verdict: null };
  } catch {
    const detail = 'the payload is not JSON in UTF-8';
    return { seq, value: null, verdict: { outcome: 'rejected', reason: 'malformed_json', detail } };
  }
}

function handle<Message>({ check, apply }: KindHandler<Message>) {
  return async (dependencies: BatchDependencies, entries: Entry[]): Promise<void> => {
    const valid: Entry[] = [];
    const messages: Message[] = [];
    for (const entry of entries) {
      const checked = check(entry.value);
      if (checked.ok) {
        valid.push(entry);
        messages.push(checked.message);
      } else {
        entry.verdict = { outcome: 'rejected', reason: 'schema_invalid', detail: checked.detail };
      }
    }
    const sequence = valid.map(({ seq }) => seq);
    const verdicts = await apply(dependencies, messages, sequence);
    valid.forEach((entry, at) => {
      entry.verdict = verdicts[at] ?? null;
    });
  };
}
