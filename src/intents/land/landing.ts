import type { Reader } from '../../db/look-ups.ts';
import type { LandingChanges, landingFinalities } from '../../db/values/transaction-intents.ts';
import type { DecimalString } from '../../shared/decimal.ts';
import type { Landed } from '../schema.ts';

export type Finality = (typeof landingFinalities)[number];

/** What a transaction did in its block, as a node reports it (contract/intents#landed). */
export interface LandingFacts {
  succeeded: boolean;
  blockTime: Date | null;
  indexInBlock: number | null;
  feeLamports: bigint;
  computeUnits: bigint | null;
  paidTipLamports: bigint | null;
  changes: LandingChanges;
  /** Raw amounts of a swap that succeeded, as decimal texts. */
  inputRaw: string | null;
  outputRaw: string | null;
  priceInSol: DecimalString | null;
  quoteDifferenceBps: number | null;
}

/** A transaction in a block. */
export interface Landing {
  slot: bigint;
  finality: Finality;
  /** Null while they are not known. */
  facts: LandingFacts | null;
}

/** The landing of a transaction that has just been found on chain. */
export function newLanding(slot: bigint): Landing {
  return { slot, finality: 'confirmed', facts: null };
}

type Columns<Shape> = { [Name in keyof Shape]: Shape[Name] | null };

/** The columns of `landingColumns`; all are null where nothing has landed. */
export type LandingRow = Columns<{ slot: bigint; finality: Finality } & LandingFacts>;

/** SQL: the columns of a LandingRow, from `intent_landings l`. */
export function landingColumns(sql: Reader) {
  return sql`l.slot, l.finality, l.succeeded, l.block_time, l.index_in_block, l.fee_lamports, l.compute_units,
    l.tip_lamports as paid_tip_lamports, l.changes, l.input_raw, l.output_raw, l.price_in_sol, l.quote_difference_bps`;
}

export function toLanding(row: LandingRow): Landing | null {
  const { slot, finality, succeeded, feeLamports, changes } = row;
  if (slot === null || finality === null) return null;
  if (succeeded === null || feeLamports === null || changes === null) return { slot, finality, facts: null };
  const { blockTime, indexInBlock, computeUnits, paidTipLamports } = row;
  const { inputRaw, outputRaw, priceInSol, quoteDifferenceBps } = row;
  const swap = { inputRaw, outputRaw, priceInSol, quoteDifferenceBps };
  const block = { blockTime, indexInBlock, computeUnits };
  return {
    slot,
    finality,
    facts: { succeeded, feeLamports, changes, paidTipLamports, ...block, ...swap },
  };
}

/** The public record. Null while the facts are not known, and when the block is no part of the chain. */
export function toLanded({ slot, finality, facts }: Landing): Landed | null {
  if (facts === null || finality === 'reverted') return null;
  return {
    slot: String(slot),
    blockTime: facts.blockTime?.toISOString() ?? null,
    indexInBlock: facts.indexInBlock,
    succeeded: facts.succeeded,
    feeLamports: String(facts.feeLamports),
    computeUnits: facts.computeUnits?.toString() ?? null,
    tipLamports: facts.paidTipLamports?.toString() ?? null,
    changes: facts.changes,
    inputRaw: facts.inputRaw,
    outputRaw: facts.outputRaw,
    priceInSol: facts.priceInSol,
    quoteDifferenceBps: facts.quoteDifferenceBps,
  };
}

/** True when nothing that is known of the landing will change. */
export function isSettled({ finality, facts }: Landing): boolean {
  return finality === 'finalized' && facts !== null;
}
