import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { topicMessages } from '../../src/documentation/streams/stream-messages.ts';
import { advancePresales } from '../../src/features/presales/advance-presales.ts';
import { publishPresale } from '../../src/features/presales/create-presale.ts';
import { recordMovements } from '../../src/features/presales/record-movements.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { createTestPresale, movementOf, presaleContext } from '../support/market/presales.ts';
import { createRoundFixture, type RoundFixture } from '../support/predictions/prediction-stage.ts';
import { createTestClock, type TestClock } from '../support/run/clock.ts';
import { type EventStream, openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';

let api: TestApi;
let clock: TestClock;
let rounds: RoundFixture;

beforeAll(async () => {
  clock = createTestClock(new Date());
  api = await startTestApi();
  rounds = createRoundFixture(api.dependencies.database, clock);
});

const open = (topics: string, headers: Record<string, string> = {}, on = api) =>
  openEventStream(`${on.baseUrl}/stream?topics=${topics}`, headers);
const isHeartbeat = ({ event }: ReceivedMessage) => event === 'heartbeat';

/** Resolves when all earlier commits have reached the stream. */
async function settled(stream: EventStream): Promise<void> {
  const [row] = await api.database.sql`select max(id)::text as id from stream_log`;
  const last = BigInt(row?.id ?? 0);
  await stream.find(({ event, id }) => event === 'heartbeat' && BigInt(id?.split('.')[2] ?? 0) >= last);
}

function of(stream: EventStream, event: 'presale' | 'round'): ReceivedMessage[] {
  const messages = stream.messages.filter((message) => message.event === event);
  for (const message of messages) expect([...Value.Errors(topicMessages[event], message)]).toEqual([]);
  return messages;
}

const create = (changes: Parameters<typeof createTestPresale>[2] = {}) =>
  createTestPresale(api.dependencies.database, clock, changes);
const advance = () => advancePresales(presaleContext(api.dependencies.database, clock).context, 100);
const deposit = (id: string, lamports: bigint) =>
  api.dependencies.database.begin((transaction) =>
    recordMovements(transaction, clock, [movementOf(id, 'deposit', newAddress(), lamports, clock.now())]),
  );

describe('presales', () => {
  test('a topic of one begins with it and follows its status and deposits; all of them begin with nothing', async () => {
    const presale = await create({ publicStartAt: clock.now() });
    const other = await create();
    const one = await open(`presale:${presale.id.toUpperCase()}`);
    const all = await open('presales');
    await Promise.all([one.find(isHeartbeat), all.find(isHeartbeat)]);
    const topic = `presale:${presale.id}`;
    expect(of(one, 'presale')).toMatchObject([{ snapshot: true, topic, data: { id: presale.id } }]);
    expect(of(all, 'presale')).toEqual([]);
    await advance();
    await one.find(({ data }) => data?.status === 'active');
    await deposit(presale.id, 10n);
    const paid = await one.find(({ data }) => data?.totalDepositedLamports === '10');
    expect(paid).toMatchObject({ topic, data: { participantCount: 1 } });
    expect(await (await fetch(`${api.baseUrl}/presales/${presale.id}`)).json()).toMatchObject({
      ...paid.data,
    });
    await settled(all);
    expect(of(all, 'presale').map(({ data }) => data.id)).toEqual(
      of(one, 'presale')
        .slice(1)
        .map(({ data }) => data.id),
    );
    expect(of(all, 'presale').some(({ data }) => data.id === other.id)).toBe(false);
    for (const stream of [one, all]) stream.close();
  });

  test('a draft is sent once it is public, and nothing of a hidden token', async () => {
    const { database } = api.dependencies;
    const all = await open('presales');
    await all.find(isHeartbeat);
    const draft = await create({ status: 'draft' });
    await settled(all);
    expect(of(all, 'presale')).toEqual([]);
    await database.begin((transaction) => publishPresale(transaction, draft.id, clock.now()));
    await all.find(({ data }) => data?.id === draft.id);
    const before = of(all, 'presale').length;
    await database.begin((transaction) => setTokenHidden(transaction, draft.mintAddress, true));
    await database`update presales set participant_count = participant_count + 1 where id = ${draft.id}`;
    await settled(all);
    expect(of(all, 'presale')).toHaveLength(before);
    const refused = await open(`presale:${draft.id}`);
    const problem = await expectProblem(refused.response, 'presale_not_found', 'GET');
    expect(problem).toMatchObject({ context: { presaleId: draft.id } });
    for (const wrong of ['presale:', 'presale:short', `presale:${draft.id}:1m`])
      await expectProblem((await open(wrong)).response, 'validation_failed', 'GET');
    all.close();
  });

  test('a stream continues after its cursor in any process with the newest state', async () => {
    const presale = await create({ publicStartAt: clock.now() });
    const first = await open(`presales,presale:${presale.id}`);
    const { id: cursor = '' } = await first.find(isHeartbeat);
    first.close();
    await advance();
    await deposit(presale.id, 3n);
    await deposit(presale.id, 4n);
    const late = await startTestApi({ database: api.database });
    for (const on of [api, late])
      for (const topics of ['presales', `presale:${presale.id}`]) {
        const stream = await open(topics, { 'last-event-id': cursor }, on);
        const found = await stream.find(({ data }) => data?.totalDepositedLamports === '7');
        expect(found.snapshot).toBeUndefined();
        expect(stream.messages[0]).toMatchObject({ event: 'ready', resumed: true });
        stream.close();
      }
  });
});

describe('rounds', () => {
  test('those of a token begin with the ones that have not ended, and none of another token follows', async () => {
    const [mint, elsewhere] = [await rounds.launch(), await rounds.launch()];
    const planned = [await rounds.planNow(mint), await rounds.planNow(mint)];
    const [ended = ''] = planned;
    await api.dependencies.database`update prediction_rounds set status = 'voided' where id = ${ended}`;
    const one = await open(`rounds:${mint}`);
    const all = await open('rounds');
    await Promise.all([one.find(isHeartbeat), all.find(isHeartbeat)]);
    expect(of(one, 'round').map(({ snapshot, data }) => [snapshot, data.id])).toEqual([[true, planned[1]]]);
    expect(of(all, 'round')).toEqual([]);
    const foreign = await rounds.planNow(elsewhere);
    await rounds.work();
    await one.find(({ data }) => data?.id === planned[1] && data.status === 'open');
    await Promise.all([settled(one), settled(all)]);
    expect(new Set(of(one, 'round').map(({ data }) => data.mintAddress))).toEqual(new Set([mint]));
    const opened = of(all, 'round').filter(({ data }) => data.status === 'open');
    // A message has the state at its change or a newer one (contract/streams#states): the plan of a round may come as open too.
    const openedRounds = [...new Map(opened.map(({ topic, data }) => [data.id, [topic, data.id]])).values()];
    expect(openedRounds.toSorted()).toEqual(
      [
        [`rounds:${mint}`, planned[1]],
        [`rounds:${elsewhere}`, foreign],
      ].toSorted(),
    );
    const path = `${api.baseUrl}/tokens/${mint}/prediction-rounds/${planned[1]}`;
    expect(opened.find(({ data }) => data.id === planned[1])?.data).toEqual(await (await fetch(path)).json());
    for (const stream of [one, all]) stream.close();
  });

  test('a prediction alone is no message, and tokens without predictions are silent', async () => {
    const mint = await rounds.launch();
    const without = await rounds.launch(false);
    const id = await rounds.open(mint);
    const all = await open('rounds');
    await all.find(isHeartbeat);
    await rounds.insertPrediction(id, '1');
    await api.dependencies.database`update prediction_rounds set updated_at = now() where id = ${id}`;
    await rounds.planNow(without);
    await settled(all);
    expect(of(all, 'round')).toEqual([]);
    await expectProblem((await open(`rounds:${newAddress()}`)).response, 'token_not_found', 'GET');
    all.close();
  });
});

test('a reader of the log gets the kinds that it knows, and goes on', async () => {
  await create();
  await rounds.planNow(await rounds.launch());
  const { sql } = api.database;
  const kinds = async (read: string) =>
    new Set((await sql.unsafe<{ kind: string | null }[]>(read)).map(({ kind }) => kind));
  const [all, known] = [
    await kinds('select distinct kind from stream_log'),
    await kinds(`select kind from read_stream_page(0, 10000, array['token', 'event'])`),
  ];
  for (const kind of ['presale', 'round']) {
    expect(all.has(kind)).toBe(true);
    expect(known.has(kind)).toBe(false);
  }
  expect(known.has('token')).toBe(true);
  const [row] = await sql`
    select complete_through >= (select max(id) from stream_log) as is_complete from read_stream_page(0, 1, array['token'])`;
  expect(row?.isComplete ?? row?.is_complete).toBe(true);
});
