import { contractDefinitions } from '../../../src/api/routes.ts';
import type { Database } from '../../../src/db/client.ts';
import type { Route } from '../../../src/http/route.ts';
import { ratePolicies } from '../../../src/shared/rate-policies.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../api/api.ts';
import type { TestKey } from '../api/api-keys.ts';
import { createTempDir } from '../run/temp-dir.ts';
import { type Account, createAccount, createNeighbour, type Resource } from './account.ts';
import { insertIntent } from './intents.ts';
import { createPublicGround, type PublicGround } from './public-ground.ts';
import { type Draft, draftOf, requestOf } from './requests.ts';
import { insertOwnEndpoint } from './webhooks.ts';

/** The path of a mutation: one statement, or its handler in a transaction. */
export type Way = 'fast' | 'slow';

/**
 * `other` is account A, which must stay hidden. `own` is B, which has everything too. `neighbour` is C, whose key is pinned
 * to the same wallet as A's.
 */
export interface TwoAccounts {
  api: TestApi;
  db: Database;
  ground: PublicGround;
  /** Exists after `addOther`. */
  other: Account;
  own: Account;
  neighbour: TestKey;
  /** Operations with a fast path. */
  fastOperations: ReadonlySet<string>;
  /** The path of the next mutations. `fastCount` counts those on the fast path. */
  way: Way;
  fastCount: number;
  addOther(): Promise<void>;
  send(draft: Draft, key: TestKey): Promise<Response>;
  /** Creates an unchanged resource of B; null for kinds that change by themselves. */
  freshId(resource: Resource): Promise<string | null>;
  /** Deletes B's newer endpoints, because an account may have only a few and they contain values of a test's
   * requests. */
  forgetEndpoints(): Promise<void>;
}

const rateLimits = Object.fromEntries(
  Object.keys(ratePolicies).map((name) => [name, { limit: 1_000_000, windowSeconds: 1 }]),
);

/** Starts the api with B and without A. */
export async function startTwoAccounts(options: Pick<TestApiOptions, 'isRandom'> = {}): Promise<TwoAccounts> {
  const fastOperations = new Set<string>();
  const stage = { way: 'fast' as Way, fastCount: 0, fastOperations };
  const api = await startTestApi({
    ...options,
    environment: {
      RATE_LIMITS: JSON.stringify(rateLimits),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      IMAGE_FOLDER: createTempDir('images'),
    },
    adjustRoutes: (routes) => routes.map((route) => observed(route, stage)),
  });
  const db = api.dependencies.database;
  const ground = await createPublicGround(db);
  const own = await createAccount(db, ground, false);
  return Object.assign(stage, {
    api,
    db,
    ground,
    own,
    other: undefined as unknown as Account,
    neighbour: undefined as unknown as TestKey,
    async addOther(this: TwoAccounts) {
      this.other = await createAccount(db, ground, true);
      this.neighbour = await createNeighbour(db, this.other.wallet);
      // The process has these in its cache from now on.
      for (const intentId of this.other.ids.intent)
        await fetch(`${api.baseUrl}/transaction-intents/${intentId}`, { headers: this.other.key.header });
    },
    send(draft: Draft, { header }: TestKey) {
      const { path, init } = requestOf(draft);
      return fetch(`${api.baseUrl}${path}`, { ...init, headers: { ...init.headers, ...header } });
    },
    async freshId(this: TwoAccounts, resource: Resource) {
      if (resource === 'intent') {
        const intent = await insertIntent(db, own);
        (own.intents as Map<string, typeof intent>).set(intent.id, intent);
        return intent.id;
      }
      if (resource !== 'endpoint') return null;
      return await insertOwnEndpoint(db, own);
    },
    async forgetEndpoints() {
      await db`
        update webhook_endpoints set deleted_at = now(), subjects = null
        where account_id = ${own.accountId} and id <> all(${own.ids.endpoint}::uuid[])`;
      await db`
        delete from events where account_id = ${own.accountId} and type like 'build.service.webhook\\_endpoint.%'
          and subject <> all(${own.ids.endpoint})`;
    },
  });
}

/** The route with a fast path that can be closed and that counts its mutations. */
function observed(route: Route, stage: { way: Way; fastCount: number; fastOperations: Set<string> }): Route {
  if (route.kind !== 'mutation' || route.fastPath === undefined) return route;
  stage.fastOperations.add(route.definition.id);
  const { fastPath } = route;
  return {
    ...route,
    async fastPath(...request) {
      if (stage.way === 'slow') return null;
      const done = await fastPath(...request);
      if (done !== null) stage.fastCount += 1;
      return done;
    },
  };
}

/** Requests of B for all of its own resources and for public ones. */
export function readsOf({ own, ground }: TwoAccounts): Draft[] {
  return contractDefinitions
    .filter(({ method, auth, isStream }) => method === 'GET' && auth !== 'anonymous' && isStream !== true)
    .flatMap((operation) => {
      const resource = resourceOf(operation.path);
      const grounds = operation.path.includes('/:') ? [ground, { ...ground, ...ground.elsewhere }] : [ground];
      if (resource === null) return grounds.map((ground) => draftOf(operation, own, ground));
      return own.ids[resource].map((id) => draftOf(operation, own, ground, { [resource]: id }));
    });
}

/** The resource at the start of a path; null for lists and public resources. */
export function resourceOf(path: string): Resource | null {
  const name = /:(intent|launch|slot|order|operation|endpoint|delivery|event|prediction|key)Id/.exec(
    path,
  )?.[1];
  return (name as Resource | undefined) ?? null;
}
