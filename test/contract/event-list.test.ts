import { beforeAll, describe, expect, test } from 'bun:test';
import { connectDatabase, type Database, type Transaction } from '../../src/db/client.ts';
import { settleEventOrder } from '../../src/db/event-order.ts';
import { readLog } from '../../src/features/streams/log/read-log.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { type EventPosition, listEvents } from '../../src/features/webhooks/events/list-events.ts';
import { createOutbox, type Outbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { type EventName, eventType } from '../../src/shared/events/catalogue.ts';
import { firstUuidOf } from '../../src/shared/first-uuid.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { createTestPresale } from '../support/market/presales.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const MINT = 'So11111111111111111111111111111111111111112';
let api: TestApi;
let db: Database;
let key: TestKey;
let outbox: Outbox;

beforeAll(async () => {
  api = await startTestApi();
  db = api.dependencies.database;
  key = await createTestKey(db);
  outbox = createOutbox({ source: 'https://x.test/api/v2', docsUrl: 'https://x.test/docs' }, systemClock);
});

interface Listed {
  id: string;
  type: string;
  subject: string;
  recordedAt: string;
  body: Record<string, unknown>;
}
interface Page {
  data: Listed[];
  page: { hasMore: boolean; nextCursor: string };
}

const get = (query = '', owner = key) => fetch(`${api.baseUrl}/events${query}`, { headers: owner.header });
const list = async (query = '', owner = key) => (await (await get(query, owner)).json()) as Page;
const idsOf = ({ data }: Page) => data.map(({ id }) => id);

function append(transaction: Transaction, name: EventName, accountId: string | null = null, subject = MINT) {
  return outbox.append(transaction, { name, subject, accountId, data: { text: 'grüße' } });
}
const record = (name: EventName, accountId: string | null = null, subject = MINT) =>
  db.begin((transaction) => append(transaction, name, accountId, subject));

/** Waits until the list has this many events: an open transaction that writes to the log holds it back. */
const listUntil = (count: number, query: string, owner = key) =>
  eventually(`${count} events`, async () => {
    const page = await list(query, owner);
    return page.data.length >= count && page;
  });

/** The cursor after all events recorded so far. */
async function cursorOfNow(owner = key): Promise<string> {
  const subject = crypto.randomUUID();
  await record('presale.opened', null, subject);
  await listUntil(1, `?subject=${subject}`, owner);
  return cursorOf(owner);
}

/** The cursor after all events listed so far. */
async function cursorOf(owner: TestKey): Promise<string> {
  let query = '?limit=100';
  for (;;) {
    const { page } = await list(query, owner);
    if (!page.hasMore) return page.nextCursor;
    query = `?limit=100&cursor=${page.nextCursor}`;
  }
}

function connect(url: string, connections = 1): Database {
  const connected = connectDatabase(url, { applicationName: 'test', connections });
  atEnd(() => connected.end({ timeout: 1 }));
  return connected;
}

describe('events', () => {
  test('are those of everyone and of the account, oldest first, with the bytes that deliveries carry', async () => {
    const cursor = await cursorOfNow();
    const stranger = await createTestKey(db);
    const launched = await record('launch.created');
    await record('operation.succeeded', stranger.accountId);
    const own = await record('operation.succeeded', key.accountId);
    const { data, page } = await listUntil(2, `?cursor=${cursor}`);
    expect(data.map(({ id }) => id)).toEqual([launched, own]);
    expect(page.hasMore).toBe(false);
    const [row] = await db<{ body: string; createdAt: Date }[]>`
      select body, created_at from events where id = ${launched}`;
    expect(JSON.stringify(data[0]?.body)).toBe(row?.body ?? '');
    expect(data[0]).toMatchObject({ type: eventType('launch.created'), subject: MINT });
    expect(data[0]?.recordedAt).toBe(row?.createdAt.toISOString() ?? '');
  });

  test('of the account are listed by the scopes of the key', async () => {
    const { accountId } = key;
    const names = ['operation.succeeded', 'transaction_intent.confirmed', 'prediction.submitted'] as const;
    const reader = (...scopes: string[]) =>
      createTestKey(db, { accountId, scopes: ['webhooks:read', ...scopes] });
    const [none, operations, predictions] = [
      await reader(),
      await reader('operations:read'),
      await reader('predictions:read'),
    ];
    await cursorOfNow();
    const cursors = [await cursorOf(none), await cursorOf(operations), await cursorOf(predictions)];
    for (const name of [...names, 'webhook_endpoint.disabled', 'launch.created'] as const)
      await record(name, name === 'launch.created' ? null : accountId);
    const types = async (count: number, owner: TestKey, cursor = '') =>
      (await listUntil(count, `?cursor=${cursor}`, owner)).data.map(({ type }) => type);
    const always = (['webhook_endpoint.disabled', 'launch.created'] as const).map(eventType);
    const [operation, intent, prediction] = names.map(eventType);
    expect(await types(2, none, cursors[0])).toEqual(always);
    expect(await types(4, operations, cursors[1])).toEqual([operation ?? '', intent ?? '', ...always]);
    expect(await types(3, predictions, cursors[2])).toEqual([prediction ?? '', ...always]);
    const asked = await list(`?type=${intent}`, none);
    expect(asked.data).toEqual([]);
    // A cursor of a key with more scopes is refused for a key with fewer.
    await expectProblem(await get(`?cursor=${cursors[1]}`, none), 'cursor_invalid');
  });

  test('are filtered by type, prefix, subject and time, page by page', async () => {
    const subject = crypto.randomUUID();
    const before = await record('launch.created', null, subject);
    const opened = await record('prediction_round.opened', null, subject);
    const locked = await record('prediction_round.locked', null, subject);
    const of = async (query: string) => idsOf(await list(`?subject=${subject}${query}`));
    await listUntil(3, `?subject=${subject}`);
    expect(await of('')).toEqual([before, opened, locked]);
    expect(idsOf(await list(`?subject=${subject.toUpperCase()}`))).toEqual([before, opened, locked]);
    expect(await of('&type=build.service.prediction_round.*')).toEqual([opened, locked]);
    expect(await of(`&type=${eventType('prediction_round.locked')}`)).toEqual([locked]);
    const first = await list(`?subject=${subject}&limit=2`);
    expect(first.page.hasMore).toBe(true);
    expect(await of(`&limit=2&cursor=${first.page.nextCursor}`)).toEqual([locked]);
    await expectProblem(await get(`?cursor=${first.page.nextCursor}`), 'cursor_invalid');
    const at = first.data[1]?.recordedAt ?? '';
    const later = new Date(Date.parse(at) + 1).toISOString();
    expect(await of(`&createdAfter=${at}`)).toContain(opened);
    expect(await of(`&createdBefore=${at}`)).not.toContain(opened);
    expect(await of(`&createdBefore=${later}`)).toContain(opened);
    const inAMinute = new Date(Date.now() + 60_000).toISOString();
    expect(await of(`&createdAfter=${inAMinute}`)).toEqual([]);
    expect(idsOf(await list(`?type=build.service.*&createdAfter=${at}&createdBefore=${later}`))).toContain(
      opened,
    );
  });

  test('of a subject are those of everyone and of the account, of the types that the key may read, once they are settled', async () => {
    const subject = crypto.randomUUID();
    const stranger = await createTestKey(db);
    const narrow = await createTestKey(db, { accountId: key.accountId, scopes: ['webhooks:read'] });
    const everyones = await record('launch.created', null, subject);
    const own = await record('operation.succeeded', key.accountId, subject);
    const notice = await record('webhook_endpoint.disabled', key.accountId, subject);
    await record('operation.succeeded', stranger.accountId, subject);
    await record('launch.created', null, crypto.randomUUID());
    const page = await listUntil(3, `?subject=${subject}`);
    expect(idsOf(page)).toEqual([everyones, own, notice]);
    expect(idsOf(await list(`?subject=${subject}`, narrow))).toEqual([everyones, notice]);
    const cursor = page.page.nextCursor;
    await connect(api.database.url).begin(async (transaction) => {
      await append(transaction, 'launch.created', null, subject);
      await record('launch.created', null, subject);
      expect(idsOf(await list(`?subject=${subject}&cursor=${cursor}`))).toEqual([]);
    });
    expect(idsOf(await listUntil(2, `?subject=${subject}&cursor=${cursor}`))).toHaveLength(2);
  });

  test.each([
    ['a type that no event has', '?type=build.service.launch.v1', '/query/type'],
    ['a subject that is none', '?subject=x', '/query/subject'],
    ['a time that is none', '?createdAfter=yesterday', '/query/createdAfter'],
  ])('refuse %s', async (_name, query, path) => {
    const { errors } = await expectProblem(await get(query), 'validation_failed');
    expect(errors).toMatchObject([{ path }]);
  });

  test('of open transactions hold back younger ones, so that the cursor skips none', async () => {
    const cursor = await cursorOfNow();
    const other = connect(api.database.url);
    let early = '';
    let late = '';
    await other.begin(async (transaction) => {
      early = await append(transaction, 'launch.created');
      late = await record('launch.created');
      const { data, page } = await list(`?cursor=${cursor}`);
      expect(data).toEqual([]);
      expect(page.nextCursor.length).toBeGreaterThan(15);
    });
    expect(idsOf(await listUntil(2, `?cursor=${cursor}`))).toEqual([early, late]);
  });

  test('are complete up to the same point as the log of streams: a long transaction without events holds back neither', async () => {
    const cursor = await cursorOfNow();
    const start = (await readLog(db, null, 0)).completeThrough;
    const listed = async () => ({
      events: idsOf(await list(`?cursor=${cursor}`)),
      logged: (await readLog(db, start, 10)).entries.flatMap(({ kind, ref }) =>
        kind === 'event' ? [ref] : [],
      ),
    });
    const other = connect(api.database.url, 2);
    let [early, late] = ['', ''];
    await api.database.sql.begin(async (unrelated) => {
      await unrelated`create table unrelated (id int)`;
      await other.begin(async (slow) => {
        early = await append(slow, 'launch.created');
        late = await record('launch.created');
        expect(await listed()).toEqual({ events: [], logged: [] });
      });
      const both = [early, late];
      await eventually('both', async () => (await listed()).events.length === 2);
      expect(await listed()).toEqual({ events: both, logged: both });
      await unrelated`drop table unrelated`;
    });
  });

  test('that commit in any order each reach a client that follows the cursor once', async () => {
    let cursor = await cursorOfNow();
    const other = connect(api.database.url, 6);
    const recorded: string[] = [];
    let isWriting = true;
    const writing = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let round = 0; round < 30; round += 1) {
          await other.begin(async (transaction) => {
            recorded.push(await append(transaction, 'launch.created'));
            // Transactions overlap by different numbers of round trips.
            for (let trips = 0; trips < (round * 7 + writer * 3) % 5; trips += 1) await transaction`select 1`;
            recorded.push(await append(transaction, 'launch.failed'));
          });
        }
      }),
    ).finally(() => {
      isWriting = false;
    });
    const seen: string[] = [];
    // Then until every event has come, and once more, to find duplicates.
    for (let isLast = false; !isLast; ) {
      isLast = !isWriting && seen.length >= recorded.length;
      const page = await list(`?limit=7&cursor=${cursor}`);
      seen.push(...idsOf(page));
      cursor = page.page.nextCursor;
    }
    await writing;
    expect(seen.length).toBe(360);
    expect(new Set(seen)).toEqual(new Set(recorded));
  });

  test('of a database that was restored are found by their time, also when younger ones were restored too', async () => {
    const { sql, url } = await createTestDatabase();
    const owner = connect(url);
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    const idAt = (time: Date) => firstUuidOf(time.getTime());
    const times = [hours(9), hours(5), hours(1)];
    for (const time of times)
      await sql`
        insert into events (id, type, subject, body, created_at, recorded_in)
        values (${idAt(time)}, ${eventType('launch.created')}, ${MINT}, '{}', ${time}, '0')`;
    const types = { ofEveryone: [eventType('launch.created')], ofAccount: [] };
    const timesOf = async (range: { from?: Date; to?: Date }) => {
      const { items } = await listEvents(owner, { accountId: key.accountId, types, limit: 10, ...range });
      return items.map(({ recordedAt }) => recordedAt);
    };
    const [first = '', second = '', third = ''] = times.map((time) => time.toISOString().slice(0, 13));
    const hourOf = (texts: string[]) => texts.map((text) => text.slice(0, 13));
    expect(hourOf(await timesOf({ to: hours(3) }))).toEqual([first, second]);
    expect(hourOf(await timesOf({ from: hours(7), to: hours(3) }))).toEqual([second]);
    expect(hourOf(await timesOf({ from: hours(7) }))).toEqual([second, third]);
  });

  test('about a hidden token are not listed while it is hidden: neither those of its presale nor of its rounds', async () => {
    const cursor = await cursorOfNow();
    const presale = await createTestPresale(db, systemClock);
    const { mintAddress } = presale;
    const round = Bun.randomUUIDv7();
    await db`
      insert into prediction_rounds (id, mint_address, status, minimum_balance_raw, prize_pool_lamports, opens_at, locks_at, settles_at,
        requires_delegated_intent, created_at, updated_at)
      values (${round}, ${mintAddress}, 'scheduled', 1, 1, now() + interval '1 hour', now() + interval '2 hours', now() + interval '3 hours',
        false, now(), now())`;
    const told = [
      await record('token.curve_completed', null, mintAddress),
      await record('presale.opened', null, presale.id),
      await record('prediction_round.opened', null, round),
    ];
    // An operator published this one: no subject breaks the list.
    const odd = await record('presale.opened', null, MINT);
    expect(idsOf(await listUntil(4, `?cursor=${cursor}`))).toEqual([...told, odd]);
    await db.begin((transaction) => setTokenHidden(transaction, mintAddress, true));
    expect(idsOf(await list(`?cursor=${cursor}`))).toEqual([odd]);
    for (const subject of [mintAddress, presale.id, round])
      expect(idsOf(await list(`?subject=${subject}`))).toEqual([]);
    await db.begin((transaction) => setTokenHidden(transaction, mintAddress, false));
    expect(idsOf(await list(`?cursor=${cursor}`))).toEqual([...told, odd]);
  });

  test('of a database that was restored come first, and cursors from before are refused', async () => {
    const { sql, url } = await createTestDatabase();
    const owner = connect(url);
    const old = await owner.begin((transaction) => append(transaction, 'launch.created'));
    const types = { ofEveryone: [eventType('launch.created')], ofAccount: [] };
    const ask = (from?: EventPosition) =>
      listEvents(owner, { accountId: key.accountId, types, limit: 10, after: from });
    const idsAfter = async (from?: EventPosition) => (await ask(from)).items.map(({ id }) => id);
    const { last } = await ask();
    // The backup was made before the event that the cursor names.
    await sql`delete from stream_log`;
    await sql`select setval('stream_log_id_seq', 1, false)`;
    await sql`update event_order set origin = 'another'`;
    await settleEventOrder(owner);
    const young = await owner.begin((transaction) => append(transaction, 'launch.created'));
    expect(await idsAfter()).toEqual([old, young]);
    expect(await idsAfter(last)).toEqual([young]);
    await settleEventOrder(owner);
    const youngest = await owner.begin((transaction) => append(transaction, 'launch.created'));
    expect(await idsAfter(last)).toEqual([young, youngest]);
    const inAnHour = new Date(Date.now() + 3_600_000);
    const range = { from: new Date(Date.now() - 3_600_000), to: inAnHour };
    const ofRange = await listEvents(owner, { accountId: key.accountId, types, limit: 10, ...range });
    expect(ofRange.items.map(({ id }) => id)).toEqual([old, young, youngest]);
    const after = ['another.00000001', '1', old] as const;
    const refused = listEvents(owner, { accountId: key.accountId, types, limit: 10, after });
    await expect(refused).rejects.toMatchObject({ code: 'cursor_invalid' });
  });
});

describe('one event', () => {
  const one = (id: string, owner = key) => get(`/${id}`, owner);

  test('equals its entry in the list, public or of the account', async () => {
    const pinged = await record('webhook.ping', key.accountId);
    const launched = await record('launch.created');
    for (const id of [pinged, launched]) {
      const response = await one(id);
      expect(response.status).toBe(200);
      const event = (await response.json()) as Listed;
      expect(event).toMatchObject({ id, subject: MINT, body: { id, subject: MINT } });
      const listed = await eventually('the event in the list', async () => {
        const { data } = await list(`?type=${event.type}&createdAfter=${event.recordedAt}`);
        return data.find((other) => other.id === id);
      });
      expect(event).toEqual(listed);
    }
  });

  test('of another account, or beyond the scopes of the key, is as unknown as a missing one', async () => {
    const stranger = await createTestKey(db);
    const narrow = await createTestKey(db, { accountId: key.accountId, scopes: ['webhooks:read'] });
    const operation = await record('operation.succeeded', key.accountId);
    const ping = await record('webhook.ping', key.accountId);
    expect((await one(operation)).status).toBe(200);
    expect((await one(ping, narrow)).status).toBe(200);
    const { detail } = await expectProblem(await one(Bun.randomUUIDv7()), 'event_not_found');
    for (const hidden of [one(operation, stranger), one(ping, stranger), one(operation, narrow)])
      expect((await expectProblem(await hidden, 'event_not_found')).detail).toBe(detail);
    await expectProblem(await one('no-uuid'), 'validation_failed');
  });

  test('of a hidden token is unknown while it is hidden', async () => {
    const { mintAddress, id: presaleId } = await createTestPresale(db, systemClock);
    const ids = [
      await record('launch.created', null, mintAddress),
      await record('presale.opened', null, presaleId),
    ];
    await db.begin((transaction) => setTokenHidden(transaction, mintAddress, true));
    for (const id of ids) await expectProblem(await one(id), 'event_not_found');
    await db.begin((transaction) => setTokenHidden(transaction, mintAddress, false));
    for (const id of ids) expect((await one(id)).status).toBe(200);
  });
});
