import { eventually } from '../../test/support/run/eventually.ts';
import { type BenchCase, sized } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { openStreamConnections, type StreamConnection } from '../load/stream-connection.ts';
import { createStreamedMarket, STREAM_LIMITS, type StreamedMarket } from '../streams/streamed-market.ts';
import { residentMb } from './resident-size.ts';

const STREAMS = {
  full: { idle: 10_000, busy: 1_000 },
  quick: { idle: 1_000, busy: 100 },
  shortest: { idle: 20, busy: 5 },
};
const TRADES = { full: 500, quick: 50, shortest: 2 };
/** Ends a hang. */
const TOLD_WITHIN_MS = 120_000;

/** Resident size of one api process with many streams that get only heartbeats, and some that get every trade. */
export const streamsMemory: BenchCase = async (options) => {
  const { idle, busy } = sized(options, STREAMS);
  const trades = sized(options, TRADES);
  const environment = await createBenchEnvironment();
  const connections: StreamConnection[] = [];
  let market: StreamedMarket | undefined;
  try {
    market = await createStreamedMarket(environment);
    const api = await environment.startApi(STREAM_LIMITS);
    const emptyMb = residentMb(api.pid).nowMb;
    let told = 0;
    const events = {
      onTrade: () => {
        told += 1;
      },
      onFailure: (error: Error) => {
        throw error;
      },
    };
    connections.push(
      ...(await openStreamConnections(api.port, '/api/v2/stream?topics=events', idle, events)),
    );
    const idleMb = residentMb(api.pid).nowMb;
    connections.push(
      ...(await openStreamConnections(api.port, '/api/v2/stream?topics=trades', busy, events)),
    );
    for (let at = 0; at < trades; at += 1) await market.trade();
    await eventually('every trade was told', async () => told === busy * trades, TOLD_WITHIN_MS);
    const { nowMb, peakMb } = residentMb(api.pid);
    const figures = [
      { name: 'empty', value: { residentMb: emptyMb } },
      { name: 'idle streams', value: { residentMb: idleMb } },
      { name: 'idle and busy streams', value: { residentMb: nowMb, peakMb } },
    ];
    return {
      name: `resident size of the api with ${idle.toLocaleString('en')} idle and ${busy.toLocaleString('en')} busy streams`,
      figures: figures.map(({ name, value }) => ({ name, median: value, rounds: [value] })),
      ratios: { 'resident size at the end, MB': nowMb, 'peak, MB': peakMb },
    };
  } finally {
    for (const connection of connections) connection.end();
    await market?.close();
    await environment.close();
  }
};
