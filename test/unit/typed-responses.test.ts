import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import type { CacheReader } from '../../src/http/caches/cache-reader.ts';
import { SerialisedCache } from '../../src/http/caches/serialised-cache.ts';
import { serialise } from '../../src/http/responses/conditional-reads.ts';
import { privateRead, publicRead, type RouteDefinition } from '../../src/http/route.ts';
import { Gate } from '../../src/shared/gate.ts';

const definition = {
  id: 'getCount',
  method: 'GET',
  path: '/count',
  tag: 'System',
  summary: 'A count',
  description: '',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  response: Type.Object({ count: Type.Integer() }),
  problems: [],
} satisfies RouteDefinition;

const READER: CacheReader = { client: { name: 'reader', isKeyed: false }, freshness: 'granted' };

function cacheOf<Body>() {
  const gate = new Gate({ runningMax: 1, waitingMax: 0, waitMaxMs: 0 });
  return new SerialisedCache<Body>({ gate, maxAgeMs: 0, entriesMax: 1, nowMs: () => 0 });
}

// Each `@ts-expect-error` is a mistake that must not compile: `npm run check:types` fails when it does.
test('a handler returns the body that its definition names', () => {
  const total = () => cacheOf<{ total: number }>().require(READER, '', async () => null, 'not_found');
  const routes = [
    privateRead(definition, () => ({ body: { count: 1 } })),
    publicRead(definition, () => serialise({ body: { count: 1 } })),
    publicRead(definition, () =>
      cacheOf<{ count: number }>().require(READER, '', async () => null, 'not_found'),
    ),
    // @ts-expect-error: the count is text
    privateRead(definition, () => ({ body: { count: '1' } })),
    // @ts-expect-error: the field is missing
    publicRead(definition, () => serialise({ body: {} })),
    // @ts-expect-error: a cache of another record
    publicRead(definition, total),
  ];
  expect(new Set(routes.map((route) => route.definition))).toEqual(new Set([definition]));
});
