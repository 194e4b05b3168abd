import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { advancePresales } from '../../src/features/presales/advance-presales.ts';
import { publishPresale } from '../../src/features/presales/create-presale.ts';
import { recordMovements } from '../../src/features/presales/record-movements.ts';
import {
  type Presale,
  PresaleParticipationSchema,
  PresaleSchema,
} from '../../src/features/presales/schema.ts';
import { SETTLING_GRACE_MS } from '../../src/features/presales/state.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { hintUntilDropped } from '../support/api/hint-until-dropped.ts';
import { expectProblem } from '../support/api/problems.ts';
import { stopAgeing } from '../support/api/stop-ageing.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { createTestPresale, movementOf, presaleContext } from '../support/market/presales.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';

let api: TestApi;
let key: TestKey;
const clock = createTestClock();

beforeAll(async () => {
  // A bus of its own: hints of other files would drop its lists.
  api = await startTestApi({ environment: { NATS_URL: (await createTestNats()).url } });
  key = await createTestKey(api.dependencies.database, { walletAddress: newAddress() });
});

interface Page {
  data: Presale[];
  page: { hasMore: boolean; nextCursor: string | null };
}

const get = (path: string) => fetch(`${api.baseUrl}${path}`);
const json = async <Body>(path: string) => (await (await get(path)).json()) as Body;
const participation = (id: string, by: TestKey = key) =>
  fetch(`${api.baseUrl}/presales/${id}/participation`, { headers: by.header });

async function create(changes: Parameters<typeof createTestPresale>[2] = {}): Promise<Presale> {
  const presale = await createTestPresale(api.dependencies.database, clock, changes);
  dropCaches();
  return presale;
}

function dropCaches(): void {
  for (const cache of Object.values(api.dependencies.presaleCaches)) cache.clear();
}

const advance = () => advancePresales(presaleContext(api.dependencies.database, clock).context, 100);
const move = (kind: 'deposit' | 'refund' | 'claim', id: string, wallet: string, amount: bigint) =>
  api.dependencies.database.begin((transaction) =>
    recordMovements(transaction, clock, [movementOf(id, kind, wallet, amount, clock.now())]),
  );

describe('a presale', () => {
  test('is answered by its schema, cacheable', async () => {
    const allocationsBps = { burn: 500, pool: 3_500, sale: 6_000 };
    const other = await create({ allocationsBps, creatorCommitmentLamports: '6' });
    expect(await json(`/presales/${other.id}`)).toMatchObject({
      allocationsBps,
      creatorCommitmentLamports: '6',
    });
    const third = await create({ allocationsBps: { burn: 600, pool: 3_400, sale: 6_000 } });
    expect(await json(`/presales/${third.id}`)).toMatchObject({ allocationsBps: third.allocationsBps });
    const presale = await create();
    const response = await get(`/presales/${presale.id}`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=5');
    const body = await response.json();
    expect(Value.Check(PresaleSchema, body)).toBe(true);
    expect(body).toEqual({
      id: presale.id,
      mintAddress: presale.mintAddress,
      status: 'initializing',
      allocationsBps: { burn: 0, pool: 4_000, sale: 6_000 },
      creatorCommitmentLamports: '5',
      minCapLamports: '50',
      maxCapLamports: '100',
      perWalletCapLamports: '60',
      totalDepositedLamports: '0',
      participantCount: 0,
      publicStartAt: presale.publicStartAt,
      deadline: presale.deadline,
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
    });
    // Both spellings of the id are one presale.
    expect<unknown>(await json(`/presales/${presale.id.toUpperCase()}`)).toEqual(body);
    const etag = response.headers.get('etag') ?? '';
    expect((await fetch(response.url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('that is unknown, a draft, or of a hidden token is 404', async () => {
    const draft = await create({ status: 'draft' });
    const hidden = await create();
    await api.dependencies.database.begin((transaction) =>
      setTokenHidden(transaction, hidden.mintAddress, true),
    );
    for (const id of [draft.id, hidden.id, Bun.randomUUIDv7()]) {
      await expectProblem(await get(`/presales/${id}`), 'presale_not_found');
      await expectProblem(await participation(id), 'presale_participation_not_found');
    }
    await expectProblem(await get('/presales/not-a-uuid'), 'validation_failed');
    await expectProblem(await participation('not-a-uuid'), 'validation_failed');
    const { data } = await json<Page>('/presales?limit=100');
    const listed = data.map(({ id }) => id);
    expect([draft.id, hidden.id].filter((id) => listed.includes(id))).toEqual([]);
  });

  test('shows its deposits as soon as the hint arrives, in the list too', async () => {
    const { id } = await create({ publicStartAt: clock.now() });
    await advance();
    dropCaches();
    const total = async () => (await json<Presale>(`/presales/${id}`)).totalDepositedLamports;
    const listed = async () => (await json<Page>('/presales')).data.find((presale) => presale.id === id);
    const goOn = stopAgeing(api);
    expect(await total()).toBe('0');
    expect(await listed()).toMatchObject({ status: 'active', totalDepositedLamports: '0' });
    await move('deposit', id, newAddress(), 30n);
    await hintUntilDropped(api, hints.presaleChanged, id, api.dependencies.presaleCaches.presales);
    await eventually('the reload', async () => (await total()) === '30');
    await eventually('that of the list', async () => (await listed())?.totalDepositedLamports === '30');
    expect(await listed()).toMatchObject({ totalDepositedLamports: '30', participantCount: 1 });
    goOn();
  });
});

describe('the list of presales', () => {
  test('comes newest first, page by page; a published draft takes its place', async () => {
    const created: Presale[] = [];
    for (let count = 0; count < 5; count += 1)
      created.push(await create(count === 2 ? { status: 'draft' } : {}));
    const newest = created.map(({ id }) => id).toReversed();
    const walk = async () => {
      dropCaches();
      const ids: string[] = [];
      for (let cursor = ''; ids.length < 5; ) {
        const { data, page } = await json<Page>(`/presales?limit=2${cursor}`);
        expect(data.every((presale) => Value.Check(PresaleSchema, presale))).toBe(true);
        ids.push(...data.map(({ id }) => id));
        expect(page.hasMore).toBe(page.nextCursor !== null);
        if (page.nextCursor === null) break;
        cursor = `&cursor=${page.nextCursor}`;
      }
      return ids;
    };
    expect((await walk()).slice(0, 4)).toEqual(newest.filter((id) => id !== created[2]?.id));
    await api.dependencies.database.begin((transaction) =>
      publishPresale(transaction, created[2]?.id ?? '', clock.now()),
    );
    expect((await walk()).slice(0, 5)).toEqual(newest);
  });

  test('is filtered by status and mint, page by page', async () => {
    const [first, second] = [await create(), await create()];
    const ids = async (query: string) => (await json<Page>(`/presales?${query}`)).data.map(({ id }) => id);
    expect(await ids(`mint=${first.mintAddress}`)).toEqual([first.id]);
    expect(await ids(`mint=${first.mintAddress}&status=settled`)).toEqual([]);
    const { data, page } = await json<Page>('/presales?status=initializing&limit=1');
    expect(data.map(({ id }) => id)).toEqual([second.id]);
    const next = `cursor=${page.nextCursor}`;
    expect((await ids(`status=initializing&limit=1&${next}`))[0]).toBe(first.id);
    for (const other of ['', 'status=settled&', `status=initializing&mint=${first.mintAddress}&`])
      await expectProblem(await get(`/presales?${other}${next}`), 'cursor_invalid');
    for (const wrong of ['status=draft', 'status=sold', 'mint=short'])
      await expectProblem(await get(`/presales?${wrong}`), 'validation_failed');
  });

  test('refuses a cursor that is malformed or altered', async () => {
    await create();
    await create();
    const { page } = await json<Page>('/presales?limit=1');
    const cursor = page.nextCursor ?? '';
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of ['short', altered])
      await expectProblem(await get(`/presales?cursor=${wrong}`), 'cursor_invalid');
    expect((await get(`/presales?limit=9&cursor=${cursor}`)).status).toBe(200);
    await expectProblem(await get('/presales?limit=101'), 'validation_failed');
  });
});

describe('a participation', () => {
  test.each([
    [40n, 60n, '240000000', 40_000_000n],
    [50n, 50n, '300000000', 25_000_000n],
  ])(
    "follows the key's wallet from a deposit of %d to allotment and claim",
    async (own, others, allocationRaw, claimed) => {
      const { id } = await create({ publicStartAt: clock.now() });
      await advance();
      await expectProblem(await participation(id), 'presale_participation_not_found');
      await move('deposit', id, key.walletAddress, own);
      await move('deposit', id, newAddress(), others);
      const response = await participation(id);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      const deposited = await response.json();
      expect(Value.Check(PresaleParticipationSchema, deposited)).toBe(true);
      expect(deposited).toEqual({
        presaleId: id,
        walletAddress: key.walletAddress,
        status: 'deposited',
        depositedLamports: String(own),
        refundedLamports: '0',
        allocationRaw: null,
        claimedRaw: '0',
        createdAt: clock.now().toISOString(),
        updatedAt: clock.now().toISOString(),
      });
      // The maximum is reached: settling, settled.
      await advance();
      await advance();
      await move('claim', id, key.walletAddress, claimed);
      const settled = await (await participation(id)).json();
      expect(Value.Check(PresaleParticipationSchema, settled)).toBe(true);
      expect(settled).toMatchObject({
        status: 'settled',
        allocationRaw,
        claimedRaw: String(claimed),
      });
    },
  );

  test.each([40n, 45n])('of a presale that failed shows the refund of %d', async (lamports) => {
    const { id } = await create({ publicStartAt: clock.now() });
    await advance();
    await move('deposit', id, key.walletAddress, lamports);
    clock.advance(61_000);
    await advance();
    clock.advance(SETTLING_GRACE_MS);
    await advance();
    await move('refund', id, key.walletAddress, lamports);
    expect(await (await participation(id)).json()).toMatchObject({
      status: 'refunded',
      depositedLamports: String(lamports),
      refundedLamports: String(lamports),
      allocationRaw: null,
    });
  });

  test('needs the scope', async () => {
    const without = await createTestKey(api.dependencies.database, { scopes: ['fees:read'] });
    await expectProblem(await participation(Bun.randomUUIDv7(), without), 'insufficient_scope');
  });
});
