import { expect, test } from 'bun:test';
import { RequestContext } from '../../src/http/request-context.ts';

/** More than the ids that are drawn at once. */
const REQUESTS = 450;

test('every request has ids of its own, in the forms of the contract, however many came before', () => {
  const contexts = Array.from(
    { length: REQUESTS },
    () => new RequestContext(new Request('http://localhost/'), () => ''),
  );
  const requestIds = contexts.map(({ requestId }) => requestId);
  expect(requestIds.filter((id) => !/^req_[0-9a-f]{32}$/.test(id))).toEqual([]);
  expect(new Set(requestIds).size).toBe(REQUESTS);
  const traces = contexts.map(({ traceparent }) => /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(traceparent));
  const own = requestIds.map((id) => id.slice(4));
  expect(new Set([...own, ...traces.map((trace) => trace?.[1])]).size).toBe(2 * REQUESTS);
  expect(new Set(traces.map((trace) => trace?.[2])).size).toBe(REQUESTS);
});
