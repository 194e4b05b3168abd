import type { Database } from '../../db/client.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { checkByAsking, type Readiness } from '../../shared/readiness.ts';

/** An older proof lags: pools without trades are proven every few seconds too. */
const LAGGING_SECONDS = 60;

interface ProofAges {
  /** Null while no token has a proof. */
  newestAge: number | null;
  oldestActiveAge: number | null;
  proven: number;
  lagging: number;
  unproven: number;
}

/**
 * Gauges of the lag of the tokens' proofs, read at scrape time. A token with a trade within an hour counts as
 * active.
 */
export function observeSourceProofs(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const newest = metrics.gauge(
    'launchwire_source_proof_newest_age_seconds',
    'Age of the newest time through which any source is proven to be read; missing while no token has a proof',
  );
  const oldest = metrics.gauge(
    'launchwire_source_proof_oldest_age_seconds',
    'The same age for the token whose proof lags most, among tokens with a trade within an hour; missing if there is none',
  );
  const tokens = metrics.gauge(
    'launchwire_source_proof_tokens',
    'Tokens with a pool by state of their proof: proven, lagging (older than 60 s), unproven',
    ['state'],
  );
  metrics.addSource({
    name: 'source_proofs',
    gauges: [newest, oldest, tokens],
    load: async () => {
      const { newestAge, oldestActiveAge, proven, lagging, unproven } = await readProofAges(scrapeDatabase);
      return () => {
        if (newestAge !== null) newest.set(newestAge);
        if (oldestActiveAge !== null) oldest.set(oldestActiveAge);
        for (const [state, count] of Object.entries({ proven, lagging, unproven }))
          tokens.set(count, { state });
      };
    },
  });
}

async function readProofAges(database: Database): Promise<ProofAges> {
  const [row] = await database<ProofAges[]>`
    select extract(epoch from now() - max(s.through))::float8 as newest_age,
      extract(epoch from now() - min(s.through) filter (where m.as_of > now() - interval '1 hour'))::float8
        as oldest_active_age,
      count(*) filter (where s.through >= now() - ${LAGGING_SECONDS} * interval '1 second')::int as proven,
      count(*) filter (where s.through < now() - ${LAGGING_SECONDS} * interval '1 second')::int as lagging,
      count(*) filter (where s.through is null)::int as unproven
    from tokens t join token_markets m using (mint_address) left join source_proofs s using (mint_address)
    where t.pool_address is not null or s.through is not null`;
  if (row === undefined) throw new Error('an aggregate without a row');
  return row;
}

/**
 * Not ready while the newest proof of all tokens lags. Reads are still served, and `asOf` shows their age. A
 * database without proofs is ready, because nothing is indexed there yet.
 */
export function sourceReadiness(database: Database): Readiness {
  const check = async () => {
    const [row] = await database<{ isLagging: boolean | null }[]>`
      select max(through) < now() - ${LAGGING_SECONDS} * interval '1 second' as is_lagging from source_proofs`;
    return row?.isLagging === true
      ? 'no source of trades is proven to be read: asOf stands still, no candle closes and no round settles'
      : null;
  };
  return { name: 'trade-source', required: false, check: () => checkByAsking(check) };
}
