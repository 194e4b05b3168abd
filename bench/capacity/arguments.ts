import { type Assumptions, assumptions, baseline, impossibility, times, type Workload } from './workload.ts';

export const USAGE = `npm run capacity -- [options]
  What a workload takes of this commit's processes and servers, and what saturates first.
  Rates are those of the busiest hour, a second. Without options: the baseline.
  --trades 10        trades a second
  --pools 100        pools that trade
  --reads 1000       requests that read, a second
  --submissions 2    signed transactions a second, each prepared by a createSwap
  --deliveries 10    webhooks a second
  --endpoints 100    webhook endpoints
  --readers 200      open streams that follow one pool each
  --streams 2        open streams that follow every trade
  --times 1          factor by which all of these are multiplied
  --busy 60          percent of any capacity that the busiest hour may use
  --cached 95        percent of the reads that a cache of the api serves while no trade drops it
  --skew 10          trades of a pool that a stream follows, in those of a pool on average
  --days 90          days for which trades and intents are kept
  --feed             trades come from a feed; no worker reads pools from nodes
  --costs file       measured costs (default: bench/costs.json, of npm run capacity:costs)
  --write            writes the tables of docs/scaling.md instead`;

const text = { type: 'string' } as const;
export const OPTIONS = {
  trades: text,
  pools: text,
  reads: text,
  submissions: text,
  deliveries: text,
  endpoints: text,
  readers: text,
  streams: text,
  times: text,
  busy: text,
  cached: text,
  skew: text,
  days: text,
  feed: { type: 'boolean', default: false },
  costs: text,
  write: { type: 'boolean', default: false },
} as const;

type Given = Readonly<Record<string, string | boolean | undefined>>;

/** Far above any real rate, and small enough that sums of numbers stay exact to a unit. */
const RATE_MAX = 1e12;

/** The workload and the assumptions of the options. Throws with what is wrong in them, in a sentence. */
export function readWorkload(given: Given): { workload: Workload; assumed: Assumptions } {
  const read = (name: string, otherwise: number, least: number, most: number) => {
    const value = given[name];
    if (value === undefined) return otherwise;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new Error(`--${name} needs a number from ${least} to ${most.toLocaleString('en')}, not ${value}`);
    return number;
  };
  const rate = (name: keyof Workload) => read(name, baseline[name], 0, RATE_MAX);
  const one = {
    trades: rate('trades'),
    pools: rate('pools'),
    reads: rate('reads'),
    submissions: rate('submissions'),
    deliveries: rate('deliveries'),
    endpoints: rate('endpoints'),
    readers: rate('readers'),
    streams: rate('streams'),
  };
  const workload = times(one, read('times', 1, 0.001, 1e6));
  const reason = impossibility(workload);
  if (reason !== undefined) throw new Error(reason);
  return {
    workload,
    assumed: {
      busy: read('busy', assumptions.busy * 100, 1, 100) / 100,
      cached: read('cached', assumptions.cached * 100, 0, 100) / 100,
      skew: read('skew', assumptions.skew, 1, 1e6),
      days: read('days', assumptions.days, 1, 36_500),
      hasFeed: given.feed === true,
      meanOfPeak: assumptions.meanOfPeak,
    },
  };
}
