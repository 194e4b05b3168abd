import { beforeAll, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import type { ProblemCode } from '../../src/shared/problem-table.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { eventually } from '../support/run/eventually.ts';

const wallets = [Keypair.generate(), Keypair.generate()] as const;
let api: TestApi;
let db: Database;

beforeAll(async () => {
  // A client repeats a request many times while a killed session still has its lock.
  const RATE_LIMITS = JSON.stringify({ 'webhook-admin': { limit: 100_000, windowSeconds: 1 } });
  api = await startTestApi({ environment: { ...localWebhooks, RATE_LIMITS } });
  db = api.dependencies.database;
});

/** A drawn request: indices into the world of its run. */
interface Draw {
  account: number;
  /** Two of the first wallet with other scopes, and one of the second wallet. */
  apiKey: number;
  idempotencyKey: number;
  /** The creation of an endpoint with one of two addresses, or the submission of one of four intents, in one of two spellings. */
  request: { endpoint: number } | { intent: number; spelling: number };
}

interface Received {
  status: number;
  code: ProblemCode | null;
  isReplay: boolean;
  /** The parts of a success that the client sees. */
  shown: string;
}

/** The parts of a request that its key covers. */
interface Sent extends Draw {
  /** Account and key. */
  place: string;
  identity: string;
  received: Received[];
}

type Keys = readonly (readonly TestKey[])[];

interface Intent {
  id: string;
  account: number;
  wallet: number;
  wire: string;
}

class World {
  readonly sent = new Map<string, Sent>();
  readonly #keys: Keys;
  readonly #intents: readonly Intent[];

  constructor(keys: Keys, intents: readonly Intent[]) {
    this.#keys = keys;
    this.#intents = intents;
  }

  /** Two accounts that use the same wallets, each with an intent of either. */
  static async create(): Promise<World> {
    const [first, second] = wallets.map(({ publicKey }) => ({ walletAddress: publicKey.toBase58() }));
    const scopes = ['webhooks:write', 'transactions:write'];
    const keys = await Promise.all(
      [0, 1].map(async () => {
        const key = await createTestKey(db, first);
        const { accountId } = key;
        return [
          key,
          await createTestKey(db, { accountId, ...first, scopes }),
          await createTestKey(db, { accountId, ...second }),
        ] as const;
      }),
    );
    const intents = await Promise.all(
      keys.flatMap(([{ accountId }], account) =>
        wallets.map(async (wallet, number) => {
          const { id, unsigned } = await createPreparedIntent(db, { accountId, wallet });
          return {
            id,
            account,
            wallet: number,
            wire: Buffer.from(signWith(unsigned, wallet)).toString('base64'),
          };
        }),
      ),
    );
    return new World(keys, intents);
  }

  async send(draw: Draw): Promise<Received> {
    const { account, apiKey, idempotencyKey, request } = draw;
    const key = this.#keys[account]?.[apiKey];
    if (key === undefined) throw new Error('no such key');
    const { path, body, headers } = this.#requestOf(request);
    // The creation depends on the API key by one fact, whether its scopes open events, and the submission by its wallet.
    const ofKey = 'endpoint' in request ? String(apiKey === 1) : key.walletAddress;
    const identity = `${path} ${body} ${ofKey}`;
    const place = `${account} ${idempotencyKey}`;
    const name = `${place} ${apiKey} ${identity}`;
    const sent = this.sent.get(name) ?? { ...draw, place, identity, received: [] };
    this.sent.set(name, sent);
    const response = await fetch(`${api.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        ...key.header,
        ...headers,
        'content-type': 'application/json',
        'idempotency-key': `property-${idempotencyKey}`,
      },
      body,
    });
    const text = await response.text();
    const isDone = response.status < 300;
    const shown = ['location', 'etag'].map((header) => response.headers.get(header)).join(' ');
    const received: Received = {
      status: response.status,
      code: isDone ? null : JSON.parse(text).code,
      isReplay: response.headers.get('idempotent-replayed') === 'true',
      shown: isDone ? `${response.status} ${shown} ${text}` : '',
    };
    sent.received.push(received);
    return received;
  }

  #requestOf(request: Draw['request']) {
    if ('endpoint' in request) {
      const body = JSON.stringify({ url: `http://127.0.0.1:8080/${request.endpoint}` });
      return { path: '/webhook-endpoints', body, headers: {} };
    }
    const intent = this.#intents[request.intent];
    if (intent === undefined) throw new Error('no such intent');
    const body = `{${' '.repeat(request.spelling)}"signedTransaction":"${intent.wire}"}`;
    return { path: `/transaction-intents/${intent.id}/submissions`, body, headers: { 'if-match': '"1"' } };
  }

  /** The reason why a request under a free key is refused; null when it is not. */
  refusalOf({ account, apiKey, request }: Draw, submitted: readonly string[]): ProblemCode | null {
    if ('endpoint' in request) return null;
    const intent = this.#intents[request.intent];
    if (intent?.account !== account) return 'transaction_intent_not_found';
    if (submitted.includes(intent.id)) return 'transaction_intent_not_prepared';
    return intent.wallet === (apiKey === 2 ? 1 : 0) ? null : 'transaction_intent_wrong_signer';
  }

  /** The current rows of both accounts. */
  async effects() {
    const ids = this.#keys.map(([key]) => key?.accountId ?? '');
    const [row] = await db<{ endpoints: number; submitted: string[]; records: string[]; events: number }[]>`
      select (select count(*)::int from webhook_endpoints where account_id = any(${ids}::uuid[])) as endpoints,
        (select coalesce(array_agg(id::text order by id), '{}') from transaction_intents
          where account_id = any(${ids}::uuid[]) and status <> 'prepared') as submitted,
        (select coalesce(array_agg(account_id || ' ' || key), '{}') from idempotency_records
          where account_id = any(${ids}::uuid[])) as records,
        (select count(*)::int from events where account_id = any(${ids}::uuid[])
          and type = 'build.service.transaction_intent.submitted.v1') as events`;
    if (row === undefined) throw new Error('no row');
    const accountOf = (id: string) => ids.indexOf(id);
    const places = row.records.map((record) => {
      const [id = '', key = ''] = record.split(' ');
      return `${accountOf(id)} ${key.replace('property-', '')}`;
    });
    return { ...row, places };
  }

  intentId(number: number): string {
    return this.#intents[number]?.id ?? '';
  }
}

/** Outcomes after which a client repeats the request. */
const isPassing = ({ status, code }: Received) =>
  status === 503 || code === 'idempotency_request_in_progress';
const draw: fc.Arbitrary<Draw> = fc.record({
  account: fc.nat(1),
  apiKey: fc.nat(2),
  idempotencyKey: fc.nat(2),
  request: fc.oneof(
    fc.record({ endpoint: fc.nat(1) }),
    fc.record({ intent: fc.nat(3), spelling: fc.nat(1) }),
  ),
});
const step = fc.record({
  draws: fc.array(draw, { minLength: 1, maxLength: 5 }),
  copies: fc.integer({ min: 1, max: 3 }),
  crash: fc.boolean(),
});

/** Every transaction that the api has open ends as if its process had died. */
async function crash(): Promise<void> {
  await db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name not like 'test-owner%' and pid <> pg_backend_pid()`;
}

/** Repeats it until its outcome is known. */
async function settle(world: World, sent: Sent): Promise<Received> {
  return await eventually('an outcome', async () => {
    const received = await world.send(sent);
    return !isPassing(received) && received;
  });
}

test('a key has one request, one effect and one response, through repetitions, simultaneous requests and crashes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const world = await World.create();
      for (const { draws, copies, crash: isCrash } of steps) {
        const repeated = draws.flatMap((one) => Array.from({ length: copies }, () => one));
        await Promise.all([...repeated.map((one) => world.send(one)), isCrash ? crash() : null]);
      }
      // The outcome of some is unknown: a client repeats them.
      const all = [...world.sent.values()];
      for (const sent of all) await settle(world, sent);
      const settled = new Map<Sent, Received>();
      for (const sent of all) settled.set(sent, await settle(world, sent));
      const { endpoints, submitted, places: stored, events } = await world.effects();

      const places = Map.groupBy(all, ({ place }) => place);
      const succeeded = new Map<string, Sent[]>();
      for (const [place, requests] of places) {
        const done = requests.filter(({ received }) => received.some(({ status }) => status < 300));
        if (done.length === 0) continue;
        succeeded.set(place, done);
        const successes = done.flatMap(({ received }) => received.filter(({ status }) => status < 300));
        // One request, one response, and at most one that was not a replay: a crash may have swallowed it.
        expect(new Set(done.map(({ identity }) => identity)).size).toBe(1);
        expect(new Set(successes.map(({ shown }) => shown)).size).toBe(1);
        expect(successes.filter(({ isReplay }) => !isReplay).length).toBeLessThanOrEqual(1);
      }

      for (const sent of all) {
        const [done] = succeeded.get(sent.place) ?? [];
        const { status, code } = settled.get(sent) as Received;
        if (done?.identity === sent.identity) expect(status).toBeLessThan(300);
        else if (done !== undefined) expect(code).toBe('idempotency_key_reused');
        // Its key is free: the refusal is the request's own.
        else expect(code).toBe(world.refusalOf(sent, submitted));
      }

      const first = [...succeeded.values()].flatMap(([one]) => one ?? []);
      const intents = first.flatMap(({ request }) =>
        'intent' in request ? [world.intentId(request.intent)] : [],
      );
      expect(endpoints).toBe(first.filter(({ request }) => 'endpoint' in request).length);
      expect(submitted.toSorted()).toEqual(intents.toSorted());
      expect(events).toBe(intents.length);
      expect(stored.toSorted()).toEqual([...succeeded.keys()].toSorted());
    }),
    { numRuns: 12 },
  );
});
