import type { BenchCase } from './cases/case.ts';

/** Loads one case; only the process that runs it imports it. */
export type CaseLoader = () => Promise<BenchCase>;

/** Every case by `<group>/<name>`, in the order in which they run. */
export const registry: Readonly<Record<string, CaseLoader>> = {
  'counts/work': async () => (await import('./counts/work.ts')).countedWork,
  'counts/allocations': async () => (await import('./counts/allocations.ts')).countedAllocations,
  'counts/reads': async () => (await import('./counts/reads.ts')).reads,
  'micro/verification': async () => (await import('./micro/verification.ts')).verification,
  'micro/transaction': async () => (await import('./micro/transaction.ts')).transaction,
  'micro/compilation': async () => (await import('./micro/compilation.ts')).compilation,
  'micro/signing': async () => (await import('./micro/signing.ts')).signing,
  'micro/cursor': async () => (await import('./micro/cursor.ts')).cursor,
  'micro/problem': async () => (await import('./micro/problem.ts')).problem,
  'micro/validation': async () => (await import('./micro/validation.ts')).validation,
  'micro/pool-quote': async () => (await import('./micro/pool-quote.ts')).poolQuote,
  'micro/cached-response': async () => (await import('./micro/cached-response.ts')).cachedResponse,
  'micro/database-clients': async () => (await import('./micro/database-clients.ts')).databaseClients,
  'http/get-token': async () => (await import('./http/token-reads.ts')).getToken,
  'http/observation': async () => (await import('./http/observation.ts')).observation,
  'http/generators': async () => (await import('./http/generators.ts')).generators,
  'http/market-snapshot': async () => (await import('./http/market-reads.ts')).marketSnapshot,
  'http/list-tokens': async () => (await import('./http/token-reads.ts')).listTokens,
  'http/list-tokens-304': async () => (await import('./http/token-reads.ts')).listTokensNotModified,
  'http/candles': async () => (await import('./http/market-reads.ts')).candles,
  'http/get-operation': async () => (await import('./http/operation-read.ts')).getOperation,
  'http/submission': async () => (await import('./http/submission.ts')).submission,
  'http/create-prediction': async () => (await import('./http/create-prediction.ts')).createPrediction,
  'http/swap': async () => (await import('./http/swap.ts')).swap,
  'pipeline/isolation': async () => (await import('./pipeline/isolation.ts')).isolation,
  'pipeline/first-byte': async () => (await import('./pipeline/first-byte.ts')).firstByte,
  'pipeline/first-send': async () => (await import('./pipeline/first-send.ts')).firstSend,
  'pipeline/trade': async () => (await import('./pipeline/trade.ts')).trade,
  'pipeline/way': async () => (await import('./pipeline/way.ts')).way,
  'pipeline/day': async () => (await import('./pipeline/day.ts')).day,
  'pipeline/latencies': async () => (await import('./pipeline/latencies.ts')).latencies,
  'pipeline/submission-burst': async () => (await import('./pipeline/submission-burst.ts')).submissionBurst,
  'pipeline/deliveries': async () => (await import('./pipeline/deliveries.ts')).deliveries,
  'pipeline/last-first-byte': async () => (await import('./pipeline/last-first-byte.ts')).lastFirstByte,
  'pipeline/relays': async () => (await import('./pipeline/relays.ts')).relays,
  'pipeline/fan-out': async () => (await import('./pipeline/fan-out.ts')).fanOut,
  'pipeline/ingest': async () => (await import('./pipeline/ingest.ts')).ingest,
  'pipeline/followed-ingest': async () => (await import('./pipeline/followed-ingest.ts')).followedIngest,
  'pipeline/ranked-trade': async () => (await import('./pipeline/ranked-trade.ts')).rankedTrade,
  'pipeline/followed-trade': async () => (await import('./pipeline/followed-trade.ts')).followedTrade,
  'pipeline/order-send': async () => (await import('./pipeline/order-send.ts')).orderSend,
  'streams/fan-out': async () => (await import('./streams/fan-out.ts')).streamFanOut,
  'scale/tokens': async () => (await import('./scale/tokens.ts')).tokenScale,
  'scale/trades': async () => (await import('./scale/trades.ts')).tradeScale,
  'scale/intents': async () => (await import('./scale/intents.ts')).intentScale,
  'scale/orders': async () => (await import('./scale/orders.ts')).orderScale,
  'scale/endpoints': async () => (await import('./scale/endpoints.ts')).endpointScale,
  'scale/pools': async () => (await import('./scale/pools.ts')).poolScale,
  'scale/partitions': async () => (await import('./scale/partitions.ts')).partitionScale,
  'scale/costs': async () => (await import('./costs/costs.ts')).costs,
  'scale/api-processes': async () => (await import('./scale/api-processes.ts')).apiProcessScale,
  'memory/api': async () => (await import('./memory/api.ts')).apiMemory,
  'memory/waiting': async () => (await import('./memory/waiting.ts')).waitingMemory,
  'memory/streams': async () => (await import('./memory/streams.ts')).streamsMemory,
  'memory/worker': async () => (await import('./memory/worker.ts')).workerMemory,
  'memory/relay': async () => (await import('./memory/relay.ts')).relayMemory,
};

/** Cases that take an hour, need much space or have a command of their own: they run by name, never with their group. */
export const byNameAlone: ReadonlySet<string> = new Set(['scale/partitions', 'pipeline/latencies']);

/** Groups whose figures say nothing over small data: a quick run measures them only when they are named. */
export const groupsOfSize = ['scale', 'memory'] as const;

/**
 * Cases that may be quoted from a busy machine: they count, or measure sizes of memory, or how the cost of a call grows
 * by calls that take turns on databases of all sizes (`scale/interleaved.ts`), which other load slows alike.
 */
export const undisturbed: ReadonlySet<string> = new Set([
  'counts/work',
  'counts/allocations',
  'counts/reads',
  'memory/api',
  'memory/waiting',
  'memory/streams',
  'memory/worker',
  'memory/relay',
  'scale/tokens',
  'scale/trades',
  'scale/intents',
  'scale/orders',
]);
