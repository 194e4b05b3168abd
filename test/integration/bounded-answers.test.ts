import { expect, test } from 'bun:test';
import { getPosition } from '../../src/chain/rpc/position-calls.ts';
import { getSignatureStatuses } from '../../src/chain/rpc/transaction-calls.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const MIB = 1_024 * 1_024;
/** No double holds it. */
const SLOT = 2n ** 53n + 1n;

/** A node that answers 200 with `chunk` again and again, and counts what it could send. */
function endlessNode(chunk: Uint8Array) {
  const sent = { bytes: 0, cancelled: false };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await new Promise(setImmediate);
            sent.bytes += chunk.byteLength;
            controller.enqueue(chunk);
          },
          cancel() {
            sent.cancelled = true;
          },
        }),
      ),
  });
  atEnd(() => server.stop(true));
  return { rpc: createChainRpc(`http://127.0.0.1:${server.port}`), sent };
}

test('an endless response is cut off at the bound of its method, and reported as oversized', async () => {
  const { rpc, sent } = endlessNode(new Uint8Array(64 * 1_024).fill(32));
  const outcome = await getPosition(rpc, 20_000);
  expect(outcome).toEqual({
    ok: false,
    failure: { kind: 'oversized', message: 'the response to getEpochInfo is larger than 16384 bytes' },
  });
  await eventually('the node is told', async () => sent.cancelled);
  // Bytes that were in the sockets when the reader stopped.
  expect(sent.bytes).toBeLessThan(16 * MIB);
});

test('a response in pieces of one byte has the same bound as one in large pieces', async () => {
  const { rpc, sent } = endlessNode(Uint8Array.of(32));
  const outcome = await getPosition(rpc, 20_000);
  expect(outcome.ok ? 'answered' : outcome.failure.kind).toBe('oversized');
  await eventually('the node is told', async () => sent.cancelled);
});

test('each method has its own bound, and a response below it is read whole', async () => {
  const count = 256;
  const value = Array.from({ length: count }, () => ({
    slot: 1,
    confirmations: null,
    err: { InstructionError: [0, { Custom: 1 }] },
    confirmationStatus: 'finalized',
    status: { Err: { InstructionError: [0, { Custom: 1 }] } },
  }));
  const padding = { bytes: 0 };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      const text = JSON.stringify(value);
      return new Response(
        `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":${SLOT}},"value":${text}}}${' '.repeat(padding.bytes)}`,
      );
    },
  });
  atEnd(() => server.stop(true));
  const rpc = createChainRpc(`http://127.0.0.1:${server.port}`);
  const signatures = value.map((_, index) => `signature ${index}`);
  const read = () => getSignatureStatuses(rpc, signatures, { searchHistory: false, timeoutMs: 20_000 });
  const whole = await read();
  if (!whole.ok) throw new Error(whole.failure.message);
  expect(whole.value.statuses).toHaveLength(count);
  expect(whole.value.contextSlot).toBe(SLOT);
  padding.bytes = 256 * 1_024;
  const outcome = await read();
  expect(outcome.ok ? 'answered' : outcome.failure.kind).toBe('oversized');
});
