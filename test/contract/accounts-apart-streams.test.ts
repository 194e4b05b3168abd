import { beforeAll, describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { topicForms } from '../../src/features/streams/topics.ts';
import { eventCatalogue, eventNames, eventType } from '../../src/shared/events/catalogue.ts';
import type { Account } from '../support/accounts/account.ts';
import { accountRows, telltalesIn } from '../support/accounts/account-rows.ts';
import { startTwoAccounts, type TwoAccounts } from '../support/accounts/two-accounts.ts';
import { insertOwnEvent } from '../support/accounts/webhooks.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import type { TestKey } from '../support/api/api-keys.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { type EventStream, openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';
import { openSocket } from '../support/streams/socket-client.ts';

type Follower = Pick<EventStream, 'messages' | 'find' | 'close'>;
type Transport = 'SSE' | 'WebSocket';
const transports: readonly Transport[] = ['SSE', 'WebSocket'];

/** Entries that a process loads when it begins to follow the log. */
const LOADED = 5_000;

let stage: TwoAccounts;
/** Another process, which started long after every change. */
let late: TestApi;
let topics: string;
/** Values that only A has. */
let foreign: Set<string>;
/** The cursor of the streams before the changes. */
let start: string;
/** Streams of all accounts that were open during the changes. */
const during = new Map<string, Follower>();

const named = (event: string) => (message: ReceivedMessage) => message.event === event;
/** A last event that every stream gets. */
const END = 'accounts-apart-end';
const isEnd = ({ event, data }: ReceivedMessage) => event === 'event' && data.subject === END;

async function open(
  transport: Transport,
  key: TestKey | null,
  cursor?: string,
  on: TestApi = stage.api,
): Promise<Follower> {
  const asked = key === null ? topicsOf(isPublic) : topics;
  const resumed = cursor === undefined ? '' : `&cursor=${cursor}`;
  const url = `${on.baseUrl}/stream?topics=${asked}${resumed}`;
  const headers = key === null ? {} : { ...key.header };
  return transport === 'SSE' ? await openEventStream(url, headers) : await openSocket(url, headers);
}

const isPublic = (form: string) => !['intents', 'orders', 'operations', 'deliveries'].includes(form);
const topicsOf = (wanted: (form: string) => boolean) =>
  topicForms
    .filter(wanted)
    .map((form) =>
      form
        .replace(/\{mint\}|\{address\}/, stage.ground.mint)
        .replace('{interval}', '1m')
        .replace('{id}', stage.ground.presaleId),
    )
    .join(',');

beforeAll(async () => {
  stage = await startTwoAccounts();
  await stage.addOther();
  topics = topicsOf(() => true);
  const { own, other, neighbour, db } = stage;
  const keys = { A: other.key, B: own.key, C: neighbour, nobody: null };
  for (const transport of transports)
    for (const [who, key] of Object.entries(keys))
      during.set(`${who} ${transport}`, await open(transport, key));
  const begun = await Promise.all([...during.values()].map((stream) => stream.find(named('heartbeat'))));
  start = begun[0]?.id ?? '';
  await changeEverything(db, other);
  await changeEverything(db, own);
  const type = eventType('launch.created');
  await insertEvent(db, { type, subject: END, body: JSON.stringify({ type, subject: END, data: {} }) });
  // More than a process loads when it starts, so earlier entries are read from the table.
  await db`insert into stream_log (kind, at) select 'proven', now() from generate_series(1, ${LOADED + 200}::int)`;
  late = await startTestApi({ database: stage.api.database });
  const known = telltalesIn(JSON.stringify([await accountRows(db, own.accountId), stage.ground]));
  const rows = telltalesIn(JSON.stringify(await accountRows(db, other.accountId, 'account')));
  foreign = new Set([...rows].filter((one) => !known.has(one) && one !== neighbour.walletAddress));
});

const shownOf = (messages: readonly ReceivedMessage[], telltales: ReadonlySet<string>) =>
  [...telltalesIn(JSON.stringify(messages))].filter((one) => telltales.has(one));

/** The kinds of messages about an account that a stream has got. */
const kindsAbout = (messages: readonly ReceivedMessage[], mark: string) =>
  new Set(messages.filter((message) => JSON.stringify(message).includes(mark)).map(({ event }) => event));

const everyKind = new Set(['event', 'intent', 'order', 'operation', 'delivery']);

describe.each(transports)('over %s', (transport) => {
  test('changes of an account reach its own streams, and no others', async () => {
    const streamOf = (who: string) => during.get(`${who} ${transport}`) as Follower;
    for (const who of ['A', 'B', 'C', 'nobody']) await streamOf(who).find(isEnd);
    expect(kindsAbout(streamOf('A').messages, stage.other.mark)).toEqual(everyKind);
    expect(kindsAbout(streamOf('B').messages, stage.own.mark)).toEqual(everyKind);
    for (const who of ['B', 'C', 'nobody']) expect(shownOf(streamOf(who).messages, foreign)).toEqual([]);
    for (const who of ['A', 'C', 'nobody'])
      expect(kindsAbout(streamOf(who).messages, stage.own.mark)).toEqual(new Set());
  });

  test.each(['memory', 'the table'])(
    'a stream that continues gets the missed changes of its own account alone, from %s',
    async (from) => {
      const on = from === 'memory' ? stage.api : late;
      for (const key of [stage.own.key, stage.neighbour, null]) {
        const stream = await open(transport, key, start, on);
        await stream.find(isEnd);
        expect(shownOf(stream.messages, foreign)).toEqual([]);
        const kinds = key === stage.own.key ? everyKind : new Set<string>();
        expect(kindsAbout(stream.messages, stage.own.mark)).toEqual(kinds);
        stream.close();
      }
    },
  );

  test('streams that begin at the same time each begin with the records of their own account', async () => {
    const streams = await Promise.all(
      [stage.other.key, stage.own.key, stage.neighbour, null].map((key) => open(transport, key)),
    );
    await Promise.all(streams.map((stream) => stream.find(named('heartbeat'))));
    const about = (mark: string) => streams.map(({ messages }) => [...kindsAbout(messages, mark)]);
    expect(about(stage.own.mark)).toEqual([[], ['order', 'operation'], [], []]);
    expect(about(stage.other.mark)).toEqual([['order', 'operation'], [], [], []]);
    for (const { messages } of streams.slice(1)) expect(shownOf(messages, foreign)).toEqual([]);
    for (const stream of streams) stream.close();
  });
});

/** Changes everything that streams report about an account: its operations, orders and deliveries, and an event
 * of every type. */
async function changeEverything(db: Database, account: Account): Promise<void> {
  const { accountId, ids, mark } = account;
  await db`update operations set progress_unit = ${`${mark} again`} where account_id = ${accountId}`;
  await db`
    update orders set status = 'triggered', version = version + 1, triggered_at = now(), trigger_trade_id = id,
      trigger_slot = 1, trigger_observed_price = 1, next_attempt_at = now()
    where account_id = ${accountId} and status = 'open'`;
  await db`
    update webhook_deliveries set attempt_count = attempt_count + 1, updated_at = now()
    where id = any(${ids.delivery}::uuid[])`;
  for (const name of eventNames)
    if (eventCatalogue[name].audience === 'account')
      await insertOwnEvent(db, account, name, ids.intent[0] ?? '');
}
