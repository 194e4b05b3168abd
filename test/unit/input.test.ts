import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { compileInput } from '../../src/http/bodies/input.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { Problem } from '../../src/shared/problem.ts';

const operation = {
  id: 'listThings',
  method: 'GET',
  path: '/things',
  tag: 'Things',
  summary: 'Things',
  description: '',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    after: Type.Optional(Type.String()),
  }),
  response: Type.Object({}),
  problems: [],
} satisfies RouteDefinition;

test('a cached query keeps its first values, and no request can change them for the next', () => {
  const check = compileInput(operation);
  const client = { name: 'reader', isKeyed: false };
  const read = (query: string) =>
    check(new Request(`http://api.test/things${query}`), {}, null, client).query;
  for (let turn = 0; turn < 2; turn += 1) {
    expect(read('')).toEqual({ limit: 50 });
    expect(read('?')).toEqual({ limit: 50 });
    expect(read('?limit=7&after=b')).toEqual({ limit: 7, after: 'b' });
    expect(read('?after=b&limit=8')).toEqual({ limit: 8, after: 'b' });
    expect(read(`?after=${'x'.repeat(5_000)}`)).toEqual({ limit: 50, after: 'x'.repeat(5_000) });
    for (const wrong of ['?limit=0', '?limit=x', '?limit=1&limit=2'])
      expect(() => read(wrong)).toThrow(Problem);
  }
  expect(Object.isFrozen(read('?limit=7&after=b'))).toBe(true);
});
