import type { Transaction } from '../../db/client.ts';
import { mintsWithPool } from './write-locks.ts';

/** Fees of a token as observed at one slot (contract/staking-fees#fee-state). */
export interface ObservedFeeState {
  mintAddress: string;
  feeBps: { creator: number; platform: number; stakers: number };
  accruedLamports: string;
  slot: string;
  asOf: string;
}

/**
 * Stores states of a feed that are newer than the stored ones, at most one for each token. States of tokens
 * with a pool are ignored. Returns the mints that changed. The caller has locked the tokens.
 */
export async function storeFeeStates(
  transaction: Transaction,
  reported: readonly ObservedFeeState[],
): Promise<string[]> {
  const withPool = await mintsWithPool(
    transaction,
    reported.map(({ mintAddress }) => mintAddress),
  );
  const states = reported.filter(({ mintAddress }) => !withPool.has(mintAddress));
  const rows = await transaction<{ mintAddress: string }[]>`
    insert into fee_states as f (mint_address, creator_bps, platform_bps, stakers_bps, accrued_lamports, slot, as_of)
    select * from unnest(${states.map(({ mintAddress }) => mintAddress)}::text[],
      ${states.map(({ feeBps }) => feeBps.creator)}::int4[], ${states.map(({ feeBps }) => feeBps.platform)}::int4[],
      ${states.map(({ feeBps }) => feeBps.stakers)}::int4[],
      ${states.map(({ accruedLamports }) => accruedLamports)}::numeric[],
      ${states.map(({ slot }) => slot)}::int8[], ${states.map(({ asOf }) => asOf)}::timestamptz[])
    on conflict (mint_address) do update set creator_bps = excluded.creator_bps, platform_bps = excluded.platform_bps,
      stakers_bps = excluded.stakers_bps, accrued_lamports = excluded.accrued_lamports, slot = excluded.slot,
      as_of = excluded.as_of
    where (excluded.slot, excluded.as_of) > (f.slot, f.as_of)
    returning mint_address`;
  return rows.map(({ mintAddress }) => mintAddress);
}
