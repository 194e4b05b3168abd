import { expect, test } from 'bun:test';
import { createClient, type Launchwire, type TransactionSigner } from 'launchwire';
import { eventually } from '../support/run/eventually.ts';

const mint = 'm1';
const signer: TransactionSigner = { address: 'wallet', signTransaction: async (bytes) => bytes };
const intent = {
  id: 'i1',
  status: 'prepared',
  version: 1,
  expectedSigner: 'wallet',
  serializedTransaction: 'AAAA',
};
const prepared = { intentId: 'i1', intent, version: 1 };

/** The first answer to each request, by method and the last part of the path. Every other one never comes. */
const answers: Readonly<Record<string, object>> = {
  'POST swaps': { ...prepared, quote: {} },
  'POST launches': prepared,
  'POST creator-transfers': prepared,
  'POST fee-claims': { intents: [{ intent }] },
  'POST order-slots': { ...prepared, id: 's1' },
  'POST closures': prepared,
  'DELETE o1': { order: {}, intent },
  'GET i1': { ...intent, status: 'submitted', version: 2 },
  'GET o1': { id: 'o1', status: 'open' },
  'GET p1': { id: 'p1', status: 'running' },
  'GET s1': { id: 's1', status: 'pending' },
  'GET trades': { data: [], page: {} },
  'GET manifest': { network: { slotMs: 50 } },
};

function serviceWith(own: Readonly<Record<string, object>>) {
  const asked: string[] = [];
  const respond = (url: string, { method, signal }: RequestInit) => {
    const request = `${method} ${new URL(url).pathname.split('/').at(-1)}`;
    const answer = asked.includes(request) ? undefined : { ...answers, ...own }[request];
    asked.push(request);
    // A problem has its status.
    if (answer !== undefined)
      return Promise.resolve(Response.json(answer, { status: 'code' in answer ? 409 : 200 }));
    return new Promise<Response>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
  };
  const client = createClient({ baseUrl: 'http://api.test', apiKey: 'key', fetch: respond as never });
  return { client, timesAsked: (request: string) => asked.filter((one) => one === request).length };
}

interface Case {
  start(client: Launchwire, signal: AbortSignal): Promise<unknown>;
  /** The wait is ended when this was asked so often. */
  until: readonly [request: string, times: number];
  says: string;
  own?: Readonly<Record<string, object>>;
}

const submission = { until: ['POST submissions', 1], says: 'intent i1 (submission sent)' } as const;
const cases: Readonly<Record<string, Case>> = {
  waitForIntent: {
    start: (client, signal) => client.waitForIntent('i1', { signal }),
    until: ['GET i1', 2],
    says: 'intent i1 (submitted)',
  },
  waitForLanding: {
    start: (client, signal) => client.waitForLanding('i1', { signal }),
    until: ['GET i1', 2],
    says: 'the landing of intent i1 (submitted)',
  },
  waitForOperation: {
    start: (client, signal) => client.waitForOperation('p1', { signal }),
    until: ['GET p1', 2],
    says: 'operation p1 (running)',
  },
  waitForTrade: {
    start: (client, signal) => client.waitForTrade({ mint, transactionSignature: 't1' }, { signal }),
    until: ['GET trades', 2],
    says: 'the trade of transaction t1 in m1 (not listed yet)',
  },
  waitForOrder: {
    start: (client, signal) => client.waitForOrder('o1', { signal }),
    until: ['GET o1', 2],
    says: 'order o1 (open)',
  },
  'waitForOrder, without an answer': {
    start: (client, signal) => client.waitForOrder('o2', { signal }),
    until: ['GET o2', 1],
    says: 'order o2 (its status was not read yet)',
  },
  swap: {
    ...submission,
    start: (client, signal) => client.swap({ mint, side: 'buy', amountRaw: '1' }, signer, { signal }),
  },
  'swap, after the answer to its submission': {
    start: (client, signal) => client.swap({ mint, side: 'buy', amountRaw: '1' }, signer, { signal }),
    own: { 'POST submissions': { ...intent, status: 'submitted', version: 2 } },
    until: ['GET i1', 2],
    says: 'intent i1 (submitted)',
  },
  'swap, between two attempts': {
    start: (client, signal) =>
      client.swap({ mint, side: 'buy', amountRaw: '1' }, signer, { signal, attempts: 2 }),
    own: {
      'POST swaps': { code: 'swap_refused', status: 409, detail: 'no' },
    },
    until: ['GET manifest', 1],
    says: 'attempt 2 at a swap of m1 (swap_refused)',
  },
  launch: {
    ...submission,
    start: (client, signal) => client.launch({} as never, signer, { signal }),
  },
  transferCreator: {
    ...submission,
    start: (client, signal) =>
      client.transferCreator({ mint, newCreator: 'w2' } as never, signer, { signal }),
  },
  claimFees: {
    ...submission,
    start: (client, signal) => client.claimFees({}, signer, { signal }),
  },
  withdrawOrder: {
    ...submission,
    start: (client, signal) => client.withdrawOrder({ orderId: 'o1' }, signer, { signal }),
  },
  openSlot: { ...submission, start: (client, signal) => client.openSlot({}, signer, { signal }) },
  'openSlot, after its transaction': {
    start: (client, signal) => client.openSlot({}, signer, { signal }),
    own: { 'POST submissions': { ...intent, status: 'confirmed', version: 3 } },
    until: ['GET s1', 2],
    says: 'order slot s1 (pending)',
  },
  closeSlot: {
    ...submission,
    start: (client, signal) => client.closeSlot({ slotId: 's1' }, signer, { signal }),
  },
};

async function endOf({ start, until: [request, times], own = {} }: Case, reason: unknown): Promise<unknown> {
  const { client, timesAsked } = serviceWith(own);
  const stopping = new AbortController();
  const ended = start(client, stopping.signal).catch((error: unknown) => error);
  await eventually(`${request}, ${times} times`, async () => timesAsked(request) >= times);
  stopping.abort(reason);
  return ended;
}

test.each(Object.entries(cases))('%s says what it waited for when its signal ends it', async (_, one) => {
  for (const name of ['TimeoutError', 'AbortError']) {
    const reason = new DOMException('The operation has ended.', name);
    const error = await endOf(one, reason);
    expect(error).toBeInstanceOf(DOMException);
    expect(error).toMatchObject({
      name,
      cause: reason,
      message: `waiting for ${one.says}: The operation has ended.`,
    });
  }
});

test('a reason of the program is thrown as it is', async () => {
  const reason = new Error('enough');
  for (const one of Object.values(cases)) expect(await endOf(one, reason)).toBe(reason);
});

test('every method that waits is among these', () => {
  const client = serviceWith({}).client as unknown as Record<string, unknown>;
  const waits = Object.keys(client).filter((name) => name.startsWith('waitFor'));
  expect(waits.length).toBeGreaterThan(4);
  expect(waits.filter((name) => !Object.hasOwn(cases, name))).toEqual([]);
});
