import { beforeAll, describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import type { Database } from '../../src/db/client.ts';
import { recordTradeEvents } from '../../src/features/market/record-trade-events.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { deleteOldTradeEvents } from '../../src/features/webhooks/events/delete-trade-events.ts';
import { FollowedSubjects } from '../../src/indexer/followed/followed-subjects.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox, type Outbox } from '../../src/outbox/append.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { numberedTrade } from '../support/market/market-arbitraries.ts';
import { asWorker } from '../support/processes/worker-context.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const WALLET_TRADED = eventType('wallet.traded');
const TOKEN_TRADED = eventType('token.traded');

let world: RelayWorld;
let api: TestApi;
let db: Database;
let outbox: Outbox;
let mint: string;
let nextTrade = 1;

beforeAll(async () => {
  const database = await createTestDatabase();
  world = await createRelayWorld({ DATABASE_URL: database.url });
  api = await startTestApi({
    database,
    environment: {
      NATS_URL: world.nats.url,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      RATE_LIMITS: '{"webhook-admin":{"limit":100000,"windowSeconds":1}}',
    },
  });
  db = asWorker(world.sql);
  const origin = { source: 'https://api.example.test/api/v2', docsUrl: 'https://api.example.test/docs' };
  outbox = createOutbox(origin, systemClock, {
    sendHint: () => world.connection.publish(hints.outbox, ''),
  });
  mint = await launch();
  await world.startRelay();
});

async function launch(): Promise<string> {
  const token = tokenMessage(newAddress());
  await world.sql.begin((transaction) =>
    upsertToken(transaction, outbox, systemClock, { ...token, launchType: 'dbc', status: 'bonding' }),
  );
  return token.mintAddress;
}

const newTrade = (traderWallet: string, mintAddress = mint): IndexedTrade => ({
  ...numberedTrade(mintAddress, nextTrade++),
  traderWallet,
});
const store = (trades: readonly IndexedTrade[], followed: FollowedSubjects) =>
  db.begin((transaction) => storeTrades(transaction, trades, followed));
const record = (by = outbox) => recordTradeEvents({ db, outbox: by, clock: systemClock });

/** The fields of answers that these tests look at. */
interface Answer {
  id: string;
  secret: string;
  subjects: string[];
  errors: { path: string; code: string }[];
  data: { id: string }[];
}

async function call(method: string, path: string, key: TestKey, body?: object, version?: number) {
  const response = await fetch(`${api.baseUrl}${path}`, {
    method,
    headers: {
      ...key.header,
      'idempotency-key': crypto.randomUUID(),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

/** An address without a key pair, which would take milliseconds. */
const addressOf = (at: number) =>
  encodeAddress(
    new Uint8Array(32)
      .fill(1)
      .with(0, at >> 8)
      .with(1, at & 255),
  );
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const newKey = () => createTestKey(world.sql);
const follow = async (
  key: TestKey,
  eventTypes: string[],
  subjects: string[],
  url = 'http://127.0.0.1:8080/',
) => {
  const { status, body } = await call('POST', '/webhook-endpoints', key, { url, eventTypes, subjects });
  expect(status).toBe(201);
  return body;
};
const eventsOf = async (subject: string) =>
  await world.sql<{ id: string; type: string; tradeId: string; slot: string }[]>`
    select id, type, body::jsonb #>> '{data,id}' as trade_id, body::jsonb #>> '{data,slot}' as slot
    from events where subject = ${subject} and type in (${WALLET_TRADED}, ${TOKEN_TRADED}) order by id`;

describe('an endpoint that follows trades', () => {
  test('names its wallets and mints: up to 1,000 for trades alone, never none, and in the full types', async () => {
    const key = await newKey();
    const subjects = Array.from({ length: 1_000 }, (_, at) => addressOf(at));
    const refusal = async (body: object) => {
      const url = 'http://127.0.0.1:8080/';
      const answer = await call('POST', '/webhook-endpoints', key, { url, ...body });
      expect(answer.status).toBe(422);
      return answer.body.errors.map(({ path, code }) => `${path} ${code}`);
    };
    expect(await refusal({ eventTypes: [WALLET_TRADED] })).toEqual(['/body/subjects required']);
    expect(await refusal({ eventTypes: ['*', TOKEN_TRADED], subjects: null })).toEqual([
      '/body/subjects required',
    ]);
    const mixed = [WALLET_TRADED, 'build.service.launch.*'];
    expect(await refusal({ eventTypes: mixed, subjects: subjects.slice(0, 101) })).toEqual([
      '/body/subjects too_long',
    ]);
    expect(await refusal({ eventTypes: [WALLET_TRADED], subjects: [...subjects, newAddress()] })).toEqual([
      '/body/subjects too_long',
    ]);
    expect(await refusal({ eventTypes: ['build.service.wallet.*'] })).toEqual([
      '/body/eventTypes/0 invalid_value',
    ]);
    const endpoint = await follow(key, [WALLET_TRADED, TOKEN_TRADED], subjects);
    expect(endpoint.subjects).toEqual(subjects);
    const read = await call('GET', `/webhook-endpoints/${endpoint.id}`, key);
    expect(read.body.subjects).toEqual(subjects);
    // A change has to fit what stays.
    const path = `/webhook-endpoints/${endpoint.id}`;
    const change = (body: object, version: number) => call('PATCH', path, key, body, version);
    expect((await change({ eventTypes: mixed }, 1)).body.errors).toMatchObject([
      { path: '/body/eventTypes' },
    ]);
    expect((await change({ subjects: null }, 1)).body.errors).toMatchObject([{ path: '/body/subjects' }]);
    const few = subjects.slice(0, 3).toReversed();
    expect((await change({ subjects: few }, 1)).body).toMatchObject({ subjects: few, version: 2 });
    expect((await change({ eventTypes: mixed }, 2)).body).toMatchObject({ subjects: few, eventTypes: mixed });
    expect((await change({ eventTypes: ['*'] }, 3)).body).toMatchObject({ subjects: few, eventTypes: ['*'] });
    const [row] =
      await world.sql`select count(*)::int as count from endpoint_subjects where endpoint_id = ${endpoint.id}`;
    expect(row?.count).toBe(0);
  });

  test('gets one signed event of each trade, as every follower of the wallet or the token, and nobody else does', async () => {
    const [mine, other] = [newAddress(), newAddress()];
    const token = await launch();
    const [first, second, third, all] = await Promise.all([1, 2, 3, 4].map(() => startReceiver()));
    if (first === undefined || second === undefined || third === undefined || all === undefined)
      return expect.unreachable();
    const follower = await follow(await newKey(), [WALLET_TRADED], [mine], first.origin);
    await follow(await newKey(), [TOKEN_TRADED], [token, newAddress()], second.origin);
    await follow(await newKey(), [TOKEN_TRADED, WALLET_TRADED], [token, mine], third.origin);
    await world.createEndpoint(all.origin, { eventTypes: ['*'] });
    const followed = new FollowedSubjects();
    const trades = [newTrade(mine, token), newTrade(other, token), newTrade(mine), newTrade(other)];
    const [both, ofToken, ofWallet] = trades;
    if (both === undefined || ofToken === undefined || ofWallet === undefined) return expect.unreachable();
    expect((await store(trades, followed)).queued).toBe(3);
    await record();
    const received = async (receiver: typeof first, count: number) =>
      (await receiver.received(count, ({ body }) => body.includes('traded'))).map(({ body }) => {
        const { type, subject, time, data } = JSON.parse(body.toString());
        return { type, subject, time, trade: data.id };
      });
    const wallet = (trade: IndexedTrade) => ({
      type: WALLET_TRADED,
      subject: mine,
      time: trade.blockTime.toISOString(),
      trade: trade.id,
    });
    const traded = (trade: IndexedTrade) => ({
      type: TOKEN_TRADED,
      subject: token,
      time: trade.blockTime.toISOString(),
      trade: trade.id,
    });
    const sameAs = (expected: object[]) => expect.arrayContaining(expected);
    expect(await received(first, 2)).toEqual(sameAs([wallet(both), wallet(ofWallet)]));
    expect(await received(second, 2)).toEqual(sameAs([traded(both), traded(ofToken)]));
    expect(await received(third, 4)).toEqual(
      sameAs([wallet(both), wallet(ofWallet), traded(both), traded(ofToken)]),
    );
    const [request] = first.requests.filter(({ body }) => body.includes('traded'));
    if (request === undefined) return expect.unreachable();
    const { data } = new Webhook(follower.secret).verify(request.body, request.headers) as { data: object };
    const listed = await fetch(`${api.baseUrl}/tokens/${token}/trades`).then(
      (response) => response.json() as Promise<Answer>,
    );
    expect<unknown[]>(listed.data).toContainEqual(data);
    // One event with a delivery for each follower; an event that nobody follows is not made.
    const written = async () => {
      const [rows] = await world.sql`
        select count(distinct event_id)::int as events, count(*)::int as deliveries from webhook_deliveries
        where event_type in (${WALLET_TRADED}, ${TOKEN_TRADED}) and event_id in (
          select id from events where subject in (${mine}, ${token}))`;
      return rows;
    };
    // An attempt ends before its row is written.
    await eventually('all rows', async () => (await written())?.deliveries === 8);
    expect(await written()).toEqual({ events: 4, deliveries: 8 });
    expect(await eventsOf(other)).toHaveLength(0);
    // A ping marks the end of what a stranger gets.
    const end = await world.publish({ subject: newAddress() });
    await all.received(1, ({ body }) => body.includes(end));
    expect(all.requests.filter(({ body }) => body.includes('traded'))).toEqual([]);
  });

  test('misses no trade that is stored after the answer to a change, and gets none of what it left before', async () => {
    const key = await newKey();
    const wallets = Array.from({ length: 4 }, newAddress);
    const endpoint = await follow(key, [WALLET_TRADED], [newAddress()]);
    const wanted = new Map<string, { from: number; until: number }>();
    const stored: { id: string; wallet: string; begun: number; ended: number }[] = [];
    let clock = 0;
    let isOver = false;
    // Two workers, each with a copy of its own, store trades without a pause.
    const workers = [new FollowedSubjects(), new FollowedSubjects()].map(async (followed) => {
      while (!isOver) {
        const trades = wallets.map((wallet) => newTrade(wallet));
        const begun = clock++;
        await store(trades, followed);
        const ended = clock++;
        for (const { id, traderWallet } of trades) stored.push({ id, wallet: traderWallet, begun, ended });
      }
    });
    const isWorking = Promise.all(workers);
    const later = async () => {
      const count = stored.length;
      while (stored.length < count + 3 * wallets.length) await Promise.race([isWorking, nextTurn()]);
    };
    let version = 1;
    const change = async (wallet: string) => {
      const set = async (subjects: string[]) => {
        const { status } = await call(
          'PATCH',
          `/webhook-endpoints/${endpoint.id}`,
          key,
          { subjects },
          version,
        );
        expect(status).toBe(200);
        version += 1;
      };
      await set([wallet]);
      const from = clock++;
      await later();
      wanted.set(wallet, { from, until: clock++ });
      await set([newAddress()]);
    };
    let left = 0;
    try {
      for (const wallet of wallets) await change(wallet);
      left = clock++;
      await later();
    } finally {
      isOver = true;
    }
    await isWorking;
    while (await record());
    for (const wallet of wallets) {
      const { from, until } = wanted.get(wallet) ?? { from: 0, until: 0 };
      const told = (await eventsOf(wallet)).map(({ tradeId }) => tradeId);
      expect(new Set(told).size).toBe(told.length);
      const ofWallet = stored.filter((trade) => trade.wallet === wallet);
      const due = ofWallet.filter(({ begun, ended }) => begun > from && ended < until);
      expect(due.length).toBeGreaterThan(0);
      expect(told).toEqual(expect.arrayContaining(due.map(({ id }) => id)));
      const late = new Set(ofWallet.filter(({ begun }) => begun > left).map(({ id }) => id));
      expect(told.filter((id) => late.has(id))).toEqual([]);
    }
  });
});

describe('the event of a trade', () => {
  let wallet: string;
  let key: TestKey;
  const followed = new FollowedSubjects();

  beforeAll(async () => {
    wallet = newAddress();
    key = await newKey();
    await follow(key, [WALLET_TRADED], [wallet]);
  });

  const received = async () => (await eventsOf(wallet)).map(({ tradeId, slot }) => `${tradeId} ${slot}`);
  const landing = ({ id, slot }: IndexedTrade) => `${id} ${slot}`;

  test('is not made for copies and trades that were taken back, and is made for a late one and a new landing', async () => {
    const before = await received();
    const [kept, reverted] = [newTrade(wallet), newTrade(wallet)];
    await store([kept, reverted, kept], followed);
    const revert = (trade: IndexedTrade) =>
      db.begin((transaction) =>
        storeReversals(transaction, [{ tradeId: trade.id, slot: trade.slot }], systemClock.now()),
      );
    await revert(reverted);
    await record();
    await store([reverted, kept], followed);
    await record();
    expect(await received()).toEqual([...before, landing(kept)]);
    const again = { ...reverted, slot: reverted.slot + 5n };
    const late = { ...newTrade(wallet), blockTime: new Date('2025-01-01T00:00:00Z'), slot: 1n };
    await store([again, late], followed);
    await record();
    expect((await received()).slice(-2).toSorted()).toEqual([landing(again), landing(late)].toSorted());
  });

  test('is made once, whichever workers do it and wherever one of them ends', async () => {
    const before = await received();
    const trades = Array.from({ length: 30 }, () => newTrade(wallet));
    await store(trades, followed);
    let composed = 0;
    const failing: Outbox = {
      ...outbox,
      compose(event) {
        composed += 1;
        if (composed > 20) throw new Error('killed');
        return outbox.compose(event);
      },
    };
    await expect(record(failing)).rejects.toThrow('killed');
    await Promise.all([record(), record(), record()]);
    await record();
    const made = (await received()).slice(before.length);
    expect(made.toSorted()).toEqual(trades.map(landing).toSorted());
  });

  test('is queued in the transaction of its trade: a worker that is killed between them leaves neither', async () => {
    const before = await received();
    const trade = newTrade(wallet);
    const killed = db.begin(async (transaction) => {
      await storeTrades(transaction, [trade], followed);
      const [row] = await transaction<{ pid: number; stored: number; queued: number }[]>`
        select pg_backend_pid() as pid, (select count(*)::int from trades where id = ${trade.id}) as stored,
          (select count(*)::int from followed_trades where trade_id = ${trade.id}) as queued`;
      expect(row).toMatchObject({ stored: 1, queued: 1 });
      await world.sql`select pg_terminate_backend(${row?.pid ?? 0})`;
      await transaction`select 1`;
    });
    await expect(killed).rejects.toThrow();
    const [left] = await world.sql`
      select (select count(*)::int from trades where id = ${trade.id}) as stored,
        (select count(*)::int from followed_trades where trade_id = ${trade.id}) as queued`;
    expect(left).toEqual({ stored: 0, queued: 0 });
    // The ingest message comes again.
    await store([trade], followed);
    await record();
    expect(await received()).toEqual([...before, landing(trade)]);
  });

  test('is not made of a hidden token', async () => {
    const before = await received();
    const token = await launch();
    const shown = newTrade(wallet);
    await store([shown, newTrade(wallet, token)], followed);
    await world.sql.begin((transaction) => setTokenHidden(transaction, token, true));
    await record();
    expect(await received()).toEqual([...before, landing(shown)]);
  });

  test('is listed for 7 days to accounts that follow its subject, and then deleted with its deliveries', async () => {
    const [event] = await eventsOf(wallet);
    const stranger = await newKey();
    const path = `/events?type=${WALLET_TRADED}&subject=${wallet}&limit=100`;
    const listed = await call('GET', path, key);
    expect(listed.body.data.map(({ id }) => id)).toEqual((await eventsOf(wallet)).map(({ id }) => id));
    expect((await call('GET', path, stranger)).body.data).toEqual([]);
    expect((await call('GET', `/events?subject=${wallet}`, key)).body.data).toEqual([]);
    const without = await call('GET', `/events?type=${WALLET_TRADED}`, key);
    expect(without).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/query/subject', code: 'required' }] },
    });
    expect((await call('GET', `/events/${event?.id}`, key)).status).toBe(200);
    expect((await call('GET', `/events/${event?.id}`, stranger)).status).toBe(404);
    const { followedEventDays } = unpublishedLimits;
    const notListed = (at: number) =>
      `${(Date.now() - (followedEventDays + 1) * 86_400_000).toString(16).padStart(12, '0')}7000800000000000000${at}`;
    const ids = [1, 2].map((at) => {
      const hex = notListed(at);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    });
    // Enabled, because the relay ends the open deliveries of any other.
    const endpointId = await insertEndpoint(world.sql, {
      accountId: key.accountId,
      eventTypes: ['build.service.presale.failed.v1'],
    });
    for (const [at, id] of ids.entries()) {
      await world.sql`
        insert into events (id, type, subject, body, created_at)
        values (${id}, ${WALLET_TRADED}, ${wallet}, '{}', now() - ${followedEventDays + 1}::int * interval '1 day')`;
      await world.sql`delete from events_to_publish where event_id = ${id}`;
      await world.sql`delete from events_to_fan_out where event_id = ${id}`;
      await world.sql`
        insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
        values (${Bun.randomUUIDv7()}, ${endpointId}, ${id}, ${WALLET_TRADED}, ${at === 0 ? 'succeeded' : 'retrying'},
          ${at === 0 ? null : new Date(Date.now() + 3_600_000)}, now(), now())`;
    }
    expect((await call('GET', `/events/${ids[0]}`, key)).status).toBe(404);
    expect((await call('GET', path, key)).body.data).toHaveLength(listed.body.data.length);
    // An open delivery keeps its event.
    expect(await deleteOldTradeEvents(db, systemClock.now(), 10)).toBe(1);
    const left = await world.sql<{ id: string }[]>`select id from events where id = any(${ids}::uuid[])`;
    expect(left.map(({ id }) => id)).toEqual(ids.slice(1));
    const [deliveries] =
      await world.sql`select count(*)::int as count from webhook_deliveries where event_id = any(${ids}::uuid[])`;
    expect(deliveries?.count).toBe(1);
    expect(await deleteOldTradeEvents(db, systemClock.now(), 10)).toBe(0);
  });
});
