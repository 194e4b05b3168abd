import { createReadGates } from '../../src/http/caches/read-gates.ts';
import { SerialisedCache } from '../../src/http/caches/serialised-cache.ts';
import { Gate, GateRefused } from '../../src/shared/gate.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { seededRandom } from '../measurement/seeded-random.ts';

/** A second of the day at rate 1, as in `pipeline/day`. */
const PER_SECOND = { reads: 400, trades: 100 };
const TOKENS = 50;
const CLIENTS = 40;
const WARM_UP_MS = 1_000;
const TOKEN_AGE_MS = 5_000;
const MARKET_AGE_MS = 1_000;

interface SimulatedSpan {
  rate: number;
  seconds: number;
  /** A load takes half of this to one and a half, whatever else runs. */
  loadMs: number;
  seed: number;
}

export interface SimulatedReads {
  reads: number;
  loads: number;
  /** Reads that waited for no load. */
  hits: number;
  /** Refused by a full queue. */
  refused: number;
  /** Times of the reads after the first second, in which everything is loaded for the first time. */
  latenciesMs: number[];
  /** For reads of bytes that lacked an announced change: how long ago the first of them was announced. */
  lagsMs: { lagMs: number; allowedMs: number }[];
  /** The most loads of one key that ran at a time. */
  loadsOfOneKeyMax: number;
}

interface Path {
  cache: SerialisedCache<number>;
  key: string;
  allowedMs: number;
  /** When each change of its record was announced; the state is their number. */
  changesMs: number[];
}

/**
 * The reads of the day in simulated time: the caches and the gate of the product, and loads that last about `loadMs`.
 * The gate refuses nobody here, because its timer runs in real time: whoever would be refused has a latency beyond its
 * longest wait.
 */
export async function simulateDay({ rate, seconds, loadMs, seed }: SimulatedSpan): Promise<SimulatedReads> {
  const random = seededRandom(seed);
  const time = new SimulatedTime();
  const nowMs = () => time.nowMs;
  const gate = new Gate({ ...createReadGates().reads.options, waitMaxMs: Number.POSITIVE_INFINITY });
  const open = (maxAgeMs: number) =>
    new SerialisedCache<number>({ gate, maxAgeMs, entriesMax: 1_000, nowMs });
  const [tokens, lists] = [open(TOKEN_AGE_MS), open(TOKEN_AGE_MS)];
  const [trades, markets] = [open(MARKET_AGE_MS), open(MARKET_AGE_MS)];
  const path = (cache: SerialisedCache<number>, key: string, allowedMs: number): Path => ({
    cache,
    key,
    allowedMs,
    changesMs: [],
  });
  const ofTokens = Array.from({ length: TOKENS }, (_, number) => path(tokens, `${number}`, TOKEN_AGE_MS));
  // Its hints have an effect a few times a second.
  const list = path(lists, 'newest', TOKEN_AGE_MS);
  const [tradePage, market] = [path(trades, '0', MARKET_AGE_MS), path(markets, '1', MARKET_AGE_MS)];
  const paths = [...ofTokens, path(tokens, 'quiet', TOKEN_AGE_MS), list, tradePage, market];
  const result: SimulatedReads = {
    reads: 0,
    loads: 0,
    hits: 0,
    refused: 0,
    latenciesMs: [],
    lagsMs: [],
    loadsOfOneKeyMax: 0,
  };
  const running = new Map<Path, number>();
  const readOf = async (from: Path) => {
    const beganAtMs = time.nowMs;
    const client = { name: `${Math.floor(random() * CLIENTS)}`, isKeyed: false };
    const load = async () => {
      const count = (running.get(from) ?? 0) + 1;
      running.set(from, count);
      result.loadsOfOneKeyMax = Math.max(result.loadsOfOneKeyMax, count);
      const tookMs = loadMs * (0.5 + random());
      await time.pass(tookMs / 2);
      const state = from.changesMs.length;
      await time.pass(tookMs / 2);
      running.set(from, count - 1);
      return state;
    };
    let state: number;
    try {
      const reply = await from.cache.get({ client, freshness: 'granted' }, from.key, load);
      state = Number(reply?.text);
    } catch (error) {
      if (!(error instanceof GateRefused)) throw error;
      result.refused += 1;
      return;
    }
    if (beganAtMs >= WARM_UP_MS) result.latenciesMs.push(time.nowMs - beganAtMs);
    const missedAtMs = from.changesMs[state];
    // What is announced while a read waits may be missing.
    if (missedAtMs !== undefined && missedAtMs < beganAtMs)
      result.lagsMs.push({ lagMs: time.nowMs - missedAtMs, allowedMs: from.allowedMs });
  };
  const trade = () => {
    const number = Math.floor(random() * TOKENS);
    const of = (changed: Path | undefined) => {
      changed?.changesMs.push(time.nowMs);
      if (changed === list) lists.expire();
      else changed?.cache.drop(changed.key);
    };
    of(ofTokens[number]);
    of(list);
    if (number === 0) of(tradePage);
    if (number === 1) of(market);
  };
  const ended: Promise<void>[] = [];
  const durationMs = seconds * 1_000;
  poissonArrivals(PER_SECOND.reads * rate, durationMs, random).forEach((atMs, number) => {
    const from = paths[number % paths.length];
    if (from !== undefined) time.at(atMs, () => void ended.push(readOf(from)));
  });
  for (const atMs of poissonArrivals(PER_SECOND.trades * rate, durationMs, random)) time.at(atMs, trade);
  await time.run();
  await Promise.all(ended);
  for (const cache of [tokens, lists, trades, markets]) {
    result.reads += cache.reads;
    result.loads += cache.loads;
    result.hits += cache.hits + cache.staleHits;
  }
  return result;
}

/** What is due, in order; time passes only between two events. */
class SimulatedTime {
  nowMs = 0;
  readonly #due: { atMs: number; act: () => void }[] = [];
  #isSorted = true;

  at(atMs: number, act: () => void): void {
    this.#due.push({ atMs, act });
    this.#isSorted = false;
  }

  pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.nowMs + ms, resolve));
  }

  /** Until nothing is due any more. */
  async run(): Promise<void> {
    for (;;) {
      if (!this.#isSorted) this.#due.sort((one, other) => other.atMs - one.atMs);
      this.#isSorted = true;
      const next = this.#due.pop();
      if (next === undefined) return;
      this.nowMs = next.atMs;
      next.act();
      // Everything that follows at this moment happens before time goes on.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
