import { expect, spyOn, test } from 'bun:test';
import { createClient } from 'launchwire';
import { eventually } from '../support/run/eventually.ts';

const trade = (id: string) => ({ id, transactionSignature: `signature of ${id}` });
const page = (etag: string, ...ids: string[]) =>
  new Response(JSON.stringify({ data: ids.map(trade), page: { hasMore: false, nextCursor: null } }), {
    headers: { ETag: etag },
  });

/** A client whose requests are answered one after the other, with what each of them asked for. */
function clientOf(...answers: Response[]) {
  const held: (string | null)[] = [];
  const respond = async (input: string, { headers }: RequestInit) => {
    // It asks for the trades of the transaction, not for the newest, so later trades do not matter.
    expect(new URL(input).searchParams.get('signature')).toBe('signature of 3');
    const sent = new Headers(headers);
    held.push(sent.get('Prefer') === null ? null : sent.get('If-None-Match'));
    return answers[held.length - 1] ?? expect.unreachable();
  };
  const client = createClient({ baseUrl: 'http://api.test', maxRetries: 0, fetch: respond as never });
  const wait = (signal?: AbortSignal) =>
    client.waitForTrade({ mint: 'mint', transactionSignature: 'signature of 3' }, { signal });
  return { held, wait };
}

test('a trade is found in the first list, or as soon as the list changes', async () => {
  const known = clientOf(page('"a"', '4', '3', '2'));
  expect(await known.wait()).toMatchObject({ id: '3' });
  const { held, wait } = clientOf(page('"a"', '1'), page('"b"', '2', '1'), page('"c"', '3', '2', '1'));
  expect(await wait()).toMatchObject({ id: '3' });
  expect(held).toEqual([null, '"a"', '"b"']);
});

test('a list that has not changed is asked for again, with a pause where the service does not hold requests', async () => {
  const { held, wait } = clientOf(
    page('"a"', '1'),
    new Response(null, { status: 304 }),
    page('"a.2"', '1'),
    page('"b"', '3', '1'),
  );
  const timers = spyOn(globalThis, 'setTimeout');
  expect(await wait()).toMatchObject({ id: '3' });
  const pausesMs = timers.mock.calls.map(([, delayMs]) => delayMs).filter((delayMs) => delayMs === 1_000);
  timers.mockRestore();
  expect(held).toEqual([null, '"a"', '"a"', '"a.2"']);
  expect(pausesMs).toHaveLength(2);
});

test('a refusal and the reason of the signal end the wait', async () => {
  const problem = JSON.stringify({ code: 'token_not_found', status: 404, detail: 'no' });
  const refused = clientOf(new Response(problem, { status: 404 }));
  expect(await refused.wait().catch((error: unknown) => error)).toMatchObject({ code: 'token_not_found' });
  const { held, wait } = clientOf(page('"a"'), page('"a"'));
  const stopping = new AbortController();
  const reason = new Error('enough');
  const waiting = wait(stopping.signal).catch((error: unknown) => error);
  await eventually('it has asked twice', async () => held.length === 2);
  stopping.abort(reason);
  expect(await waiting).toBe(reason);
});
