import { eventually } from '../../test/support/run/eventually.ts';
import { type BenchCase, type CaseOptions, sized } from '../cases/case.ts';
import { createBenchEnvironment, STREAM_LIMITS } from '../cases/environment.ts';
import { openStreamConnections, type StreamConnection } from '../load/stream-connection.ts';
import { createStreamedMarket, type StreamedMarket } from '../streams/streamed-market.ts';
import { residentMb } from './resident-size.ts';

const STREAMS = {
  full: { idle: 10_000, busy: 1_000 },
  quick: { idle: 1_000, busy: 100 },
  shortest: { idle: 20, busy: 5 },
};
const TRADES = { full: 500, quick: 50, shortest: 2 };
/** One stream in ten of `--count` gets every trade. */
const BUSY_SHARE = 0.1;
/** Equal parts of the trades, after each of which the size is read. */
const PARTS = 10;
/** Ends a hang. */
const STREAMED_WITHIN_MS = 120_000;

/** Resident size of one api process with many streams that get only heartbeats, and some that get every trade. */
export const streamsMemory: BenchCase = async (options) => {
  const { idle, busy } = streamsOf(options);
  const trades = sized(options, TRADES);
  const environment = await createBenchEnvironment();
  const connections: StreamConnection[] = [];
  let market: StreamedMarket | undefined;
  try {
    market = await createStreamedMarket(environment);
    const api = await environment.startApi(STREAM_LIMITS);
    const emptyMb = residentMb(api.pid).nowMb;
    let received = 0;
    const events = {
      onTrade: () => {
        received += 1;
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
    const course: { residentMb: number; peakMb: number }[] = [];
    for (let part = 1; part <= PARTS; part += 1) {
      const until = Math.round((trades * part) / PARTS);
      for (let at = Math.round((trades * (part - 1)) / PARTS); at < until; at += 1) await market.trade();
      await eventually('every trade was streamed', async () => received === busy * until, STREAMED_WITHIN_MS);
      const now = residentMb(api.pid);
      course.push({ residentMb: now.nowMb, peakMb: now.peakMb });
    }
    const { nowMb, peakMb } = residentMb(api.pid);
    const last = { residentMb: nowMb, peakMb };
    const levels = [
      { name: 'empty', value: { residentMb: emptyMb } },
      { name: 'idle streams', value: { residentMb: idleMb } },
    ];
    return {
      name: `resident size of the api with ${idle.toLocaleString('en')} idle and ${busy.toLocaleString('en')} busy streams`,
      figures: [
        ...levels.map(({ name, value }) => ({ name, median: value, rounds: [value] })),
        { name: 'after all trades', median: last, rounds: course },
      ],
      plot: 'course',
      ratios: {
        'resident size at the end, MB': nowMb,
        'resident size, end / after the second tenth': nowMb / (course[1]?.residentMb ?? Number.NaN),
        'peak, MB': peakMb,
      },
    };
  } finally {
    for (const connection of connections) connection.end();
    await market?.close();
    await environment.close();
  }
};

function streamsOf(options: CaseOptions): { idle: number; busy: number } {
  const { count } = options;
  if (count === undefined) return sized(options, STREAMS);
  const busy = Math.ceil(count * BUSY_SHARE);
  return { idle: count - busy, busy };
}
