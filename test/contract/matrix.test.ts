import { describe, expect, test } from 'bun:test';
import { contractDefinitions, contractRoutes } from '../../src/api/routes.ts';
import { possibleProblems } from '../../src/http/problems/possible-problems.ts';
import { isIdempotent, type RouteDefinition } from '../../src/http/route.ts';
import { internalDefinitions } from '../../src/internal/routes.ts';
import { problemAreas, problemStatus, problemTable } from '../../src/shared/problem-table.ts';
import { ratePolicies } from '../../src/shared/rate-policies.ts';
import { startTestApi } from '../support/api/api.ts';
import {
  addedOperations,
  idempotentOperations,
  type SpecOperation,
  specOperations,
  specProblemStatuses,
  specRatePolicies,
  specReadStatuses,
  versionedOperations,
} from './spec-operations.ts';

const operations = new Map(contractDefinitions.map((operation) => [operation.id, operation]));

function operationOf({ id }: SpecOperation): RouteDefinition {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`operation ${id} is not registered`);
  return operation;
}

describe('the routes are exactly the operations of contract/endpoints#operations', () => {
  test('all 36 and those added since, and no other', () => {
    expect(specOperations.length - addedOperations.length).toBe(36);
    expect([...operations.keys()].sort()).toEqual(specOperations.map(({ id }) => id).sort());
  });

  test.each(specOperations.map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const { method, path, auth, ratePolicy, successStatus } = operationOf(row);
    expect(method).toBe(row.method as RouteDefinition['method']);
    expect(path.replace(/:(\w+)/g, '{$1}')).toBe(row.path);
    expect(typeof auth === 'string' ? auth : auth.join()).toBe(row.auth);
    expect(ratePolicy).toBe(row.ratePolicy as RouteDefinition['ratePolicy']);
    expect(successStatus).toBe(row.success as RouteDefinition['successStatus']);
  });

  test('each has exactly one handler', async () => {
    const { dependencies } = await startTestApi();
    const served = contractRoutes(dependencies).map(({ definition: operation }) => operation);
    expect(served).toEqual([...contractDefinitions]);
  });

  test('mutations, and only they, are idempotent; versioned ones are those that need If-Match', () => {
    const mutations = [...operations.values()].filter(isIdempotent).map(({ id }) => id);
    expect(mutations.sort()).toEqual([...idempotentOperations].sort());
    const versioned = [...operations.values()].filter(({ versioned: needsMatch }) => needsMatch === true);
    expect(versioned.map(({ id }) => id).sort()).toEqual([...versionedOperations].sort());
  });

  test('those added refuse query parameters that they do not know, the first 36 ignore them', () => {
    const refusing = [...operations.values()].filter(
      ({ refusesUnknownQuery }) => refusesUnknownQuery === true,
    );
    expect(refusing.map(({ id }) => id).sort()).toEqual([...addedOperations].sort());
  });

  test('anonymous reads name how long they may be cached, protected ones never', () => {
    const all = [...operations.values()];
    const named = all.filter(({ maxAgeSeconds }) => maxAgeSeconds !== undefined);
    const read = all.filter(({ auth, isStream }) => auth === 'anonymous' && isStream !== true);
    expect(named.map(({ id }) => id)).toEqual(read.map(({ id }) => id));
  });
});

describe('problems', () => {
  test('the table has exactly the codes and statuses of contract/endpoints#problems', () => {
    const statuses = Object.fromEntries(
      Object.entries(problemTable).map(([code, { status }]) => [code, status]),
    );
    expect(statuses).toEqual(specProblemStatuses as typeof statuses);
    // No area replaces a code of another.
    const said = problemAreas.flatMap(({ problems }) => Object.keys(problems));
    expect(said).toHaveLength(Object.keys(statuses).length);
    expect(problemStatus('prediction_token_not_enabled', 'GET')).toBe(404);
    const readStatuses = Object.entries(problemTable).flatMap(([code, { readStatus }]) =>
      readStatus === undefined ? [] : [[code, readStatus]],
    );
    expect(Object.fromEntries(readStatuses)).toEqual(specReadStatuses);
  });

  test.each(specOperations.map((row) => [row.id, row] as const))(
    '%s can answer what its row lists and its policy implies, and nothing else',
    (_id, row) => {
      const operation = operationOf(row);
      const possible = possibleProblems(operation);
      // Its own 412 takes the place of the usual one, so it is part of what the policy implies.
      const conflicts = operation.problems.filter((code) => problemTable[code].status === 412);
      const implied = possibleProblems({ ...operation, problems: conflicts });
      expect(possible.toSorted()).toEqual([...new Set([...implied, ...row.problems])].toSorted());
      for (const code of conflicts) expect(row.problems).toContain(code);
      if (row.auth !== 'anonymous') expect(possible).toContain('invalid_api_key');
      expect(possible.includes('insufficient_scope')).toBe(
        (row.auth !== 'anonymous' && row.auth !== 'any-key') || row.problems.includes('insufficient_scope'),
      );
    },
  );

  test('every code can be answered by some operation', () => {
    const possible = new Set([...operations.values(), ...internalDefinitions].flatMap(possibleProblems));
    const unmatched = ['not_found', 'method_not_allowed'];
    const never = Object.keys(problemTable).filter(
      (code) => !possible.has(code as never) && !unmatched.includes(code),
    );
    expect(never).toEqual([]);
  });
});

test('rate policies and their defaults are those of contract/endpoints#rate-policies', () => {
  expect(Object.keys(specRatePolicies).length).toBe(12);
  expect(ratePolicies).toEqual(specRatePolicies as typeof ratePolicies);
});
