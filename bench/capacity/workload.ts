/** The work of a deployment. Rates are per second in its busiest hour. */
export interface Workload {
  trades: number;
  /** Pools that trade. */
  pools: number;
  /** Requests that read. */
  reads: number;
  /** Signed transactions; each is prepared by a `createSwap` before. */
  submissions: number;
  /** Webhooks. */
  deliveries: number;
  endpoints: number;
  /** Open streams that follow one pool each. */
  readers: number;
  /** Open streams that follow every trade. */
  streams: number;
}

/** A platform that begins, in its busiest hour. */
export const baseline: Workload = {
  trades: 10,
  pools: 100,
  reads: 1_000,
  submissions: 2,
  deliveries: 10,
  endpoints: 100,
  readers: 200,
  streams: 2,
};

/** Assumptions beside the measured costs. */
export interface Assumptions {
  /** Share of each capacity that the busiest hour may use. */
  busy: number;
  /** Share of the reads that the cache of an api process serves while no trade drops the entry. */
  cached: number;
  /** Trades of the pool that a reader follows, divided by those of an average pool: readers prefer busy pools. */
  skew: number;
  /** Days for which trades and intents are kept. */
  days: number;
  /** Trades come from a feed of their own (contract/ingest), and no worker reads pools from nodes. */
  hasFeed: boolean;
  /** Mean rate of a day divided by that of its busiest hour. Stored bytes follow the mean. */
  meanOfPeak: number;
}

export const assumptions: Assumptions = {
  busy: 0.6,
  cached: 0.95,
  skew: 10,
  days: 90,
  hasFeed: false,
  meanOfPeak: 0.4,
};

/** Every rate and number multiplied by the factor. */
export function times(workload: Workload, factor: number): Workload {
  const { trades, pools, reads, submissions, deliveries, endpoints, readers, streams } = workload;
  return {
    trades: trades * factor,
    pools: pools * factor,
    reads: reads * factor,
    submissions: submissions * factor,
    deliveries: deliveries * factor,
    endpoints: endpoints * factor,
    readers: readers * factor,
    streams: streams * factor,
  };
}

/** The reason why no deployment can have this workload; undefined if one can. */
export function impossibility({
  trades,
  pools,
  deliveries,
  endpoints,
  readers,
}: Workload): string | undefined {
  if (trades > 0 && pools === 0) return 'trades need pools: --pools is 0';
  if (readers > 0 && pools === 0) return 'readers follow pools: --pools is 0';
  if (deliveries > 0 && endpoints === 0) return 'deliveries need endpoints: --endpoints is 0';
  return undefined;
}
