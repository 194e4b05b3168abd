/** What is asked of a deployment; rates are those of its busiest hour, a second. */
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

/** What the figures rest on beside the measured costs. */
export interface Assumptions {
  /** Share of the capacity of anything that is used in the busiest hour. */
  busy: number;
  /** Share of the reads that a process of the api has in its cache while no trade drops it. */
  cached: number;
  /** Trades of the pool that a reader follows, in those of a pool on average: readers are where the trades are. */
  skew: number;
  /** Days for which trades and intents are kept. */
  days: number;
  /** Trades come from a feed of their own (contract/ingest), and no worker reads pools from nodes. */
  hasFeed: boolean;
  /** The day's mean in the busiest hour: what is stored and sent over a month follows it. */
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

/** Why no deployment can have this workload; undefined for a possible one. */
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
