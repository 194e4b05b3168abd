import { jetstream } from '@nats-io/jetstream';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { type BenchCase, ratio, sized } from '../cases/case.ts';
import { epochMs } from '../cases/subscribers.ts';
import { alternate } from '../measurement/rounds.ts';
import { createBenchTokens } from './create-bench-tokens.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { replaceEndpoints } from './store-endpoints.ts';
import { BENCH_TOKENS, benchMint, tradeMessage } from './trade-messages.ts';

const FOLLOWERS = { full: 1_000, quick: 1_000, shortest: 20 };
const POLL_MS = 10;
const MANY = 'all follow the token';
const ONE = 'one follows the token';

/**
 * One trade, from the ingest stream to the first byte at the first, the median and the last of 1,000 endpoints that
 * follow its token: stored, queued, recorded as one event, sent and written.
 */
export const followedTrade: BenchCase = async (options) => {
  const { rounds } = options;
  const followers = sized(options, FOLLOWERS);
  const environment = await createPipelineEnvironment();
  try {
    const { sql, subscribers, secretKey } = environment;
    await createBenchTokens(sql);
    await replaceEndpoints(sql, subscribers.origin, followers, secretKey, () => [eventType('token.traded')]);
    // All follow the first token, the first one follows the second as well.
    await sql`
      insert into endpoint_subjects (endpoint_id, subject, position)
      select id, ${benchMint(0)}, 0 from webhook_endpoints where deleted_at is null union all
      (select id, ${benchMint(1)}, 1 from webhook_endpoints where deleted_at is null order by id limit 1)`;
    await sql`update webhook_endpoints set version = version + 1 where deleted_at is null`;
    let next = 0;
    const send = async (token: number, receivers: number) => {
      next += BENCH_TOKENS;
      return await sendTrade(environment, next + token, receivers);
    };
    // Not counted: worker and relay read what is followed, and connections are opened.
    await send(0, followers);
    const figures = await alternate(
      [
        { name: MANY, run: () => send(0, followers) },
        { name: ONE, run: () => send(1, 1) },
      ],
      rounds,
    );
    return {
      name: `one trade to ${followers.toLocaleString('en')} endpoints that follow it: first byte, everything durable`,
      figures,
      ratios: { 'last first byte, many / one': ratio(figures, MANY, ONE, 'lastMs') },
    };
  } finally {
    await environment.close();
  }
};

async function sendTrade(
  { sql, connection, subscribers }: PipelineEnvironment,
  number: number,
  receivers: number,
): Promise<Record<string, number>> {
  const wanted = (await subscribers.count()) + receivers;
  await subscribers.startRecording();
  const sentAtMs = epochMs();
  await jetstream(connection).publish(ingestSubject('trade'), JSON.stringify(tradeMessage(number)));
  await subscribers.untilCount(wanted);
  const times = (await subscribers.arrivals()).map(({ atMs }) => atMs - sentAtMs).toSorted((a, b) => a - b);
  if (times.length !== receivers) throw new Error(`${times.length} requests came instead of ${receivers}`);
  await untilNoOpenWork(sql, POLL_MS);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
  return { firstMs: at(0), medianMs: at(0.5), lastMs: at(1) };
}
