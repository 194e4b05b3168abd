import { openLoop } from '../load/open-loop.ts';
import { wireRequest } from '../load/wire-request.ts';
import { BENCH_TOKENS, benchMint } from './trade-messages.ts';
import type { TradingStage } from './trading-stage.ts';

/** More than the gates of the api let run: the queue is the server's, which can refuse, and not the client's. */
const CONNECTIONS = 512;

interface DayReads {
  latenciesMs: number[];
  /** Latencies of the reads that were refused with 503. */
  refusalsMs: number[];
  /** Loads of the caches of the api for each of these reads. */
  loadsPerRead: number;
  /** The part of the reads of caches that waited for no load. */
  hitShare: number;
}

/** Reads tokens, a list, trades and a market at these moments, as the visitors of a site do. */
export async function readAll(stage: TradingStage, arrivalsMs: Float64Array): Promise<DayReads> {
  const headers = { accept: 'application/json' };
  const paths = [
    ...Array.from({ length: BENCH_TOKENS }, (_, number) => `/tokens/${benchMint(number)}`),
    `/tokens/${stage.mint}`,
    '/tokens?limit=20',
    `/tokens/${benchMint(0)}/trades?limit=20`,
    `/tokens/${benchMint(1)}/market`,
  ].map((path) => wireRequest('GET', `/api/v2${path}`, headers));
  let next = 0;
  const before = await countCacheWork(stage);
  const { latenciesMs, refusalsMs, errors, firstError } = await openLoop({
    port: stage.api.port,
    connections: CONNECTIONS,
    arrivalsMs,
    expectedStatus: 200,
    refusalStatus: 503,
    // At low rates the server closes connections that are idle.
    reopens: true,
    nextRequest() {
      next += 1;
      return paths[next % paths.length];
    },
  });
  if (errors > 0) throw new Error(`${errors} reads failed, the first: ${firstError}`);
  const after = await countCacheWork(stage);
  return {
    latenciesMs,
    refusalsMs,
    loadsPerRead: (after.loads - before.loads) / Math.max(1, arrivalsMs.length),
    hitShare: (after.hits - before.hits) / Math.max(1, after.reads - before.reads),
  };
}

/** What the caches of the api have done since its start, by its metrics. */
async function countCacheWork({ api }: TradingStage) {
  const text = await (await fetch(`http://127.0.0.1:${api.metricsPort}/metrics`)).text();
  const sum = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((all, [, count]) => all + Number(count), 0);
  return {
    reads: sum(/^launchwire_cache_reads_total\{.*\} (\d+)$/gm),
    hits: sum(/^launchwire_cache_reads_total\{.*result="(?:hit|stale)".*\} (\d+)$/gm),
    loads: sum(/^launchwire_cache_loads_total\{.*\} (\d+)$/gm),
  };
}
