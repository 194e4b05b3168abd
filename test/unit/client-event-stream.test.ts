import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readEventStream, type ServerSentEvent } from '../../packages/client/src/stream/event-stream.ts';

async function* inPieces(bytes: Uint8Array, ends: readonly number[]) {
  let from = 0;
  for (const end of [...ends.toSorted((left, right) => left - right), bytes.length]) {
    yield bytes.subarray(from, end);
    from = end;
  }
}

async function read(text: string, ends: readonly number[] = []): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readEventStream(inPieces(new TextEncoder().encode(text), ends)))
    events.push(event);
  return events;
}

test('lines end in LF, CRLF or CR, mixed and in any pieces', async () => {
  const line = fc.constantFrom(
    'data: grüße',
    'data:🚀',
    'data',
    'event: trade',
    ': comment',
    'retry: 7',
    'id: 1',
    '',
    '',
  );
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  const drawn = fc.array(fc.tuple(line, lineEnd), { maxLength: 12 });
  const cases = drawn.chain((lines) =>
    fc.tuple(fc.constant(lines), fc.array(fc.nat(300), { maxLength: 12 })),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([lines, ends]) => {
      // An empty line that ends in LF behind a line that ends in CR is the rest of its end.
      const text = lines.map(([content, end]) => content + end).join('');
      const plain = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
      expect(await read(text, ends)).toEqual(await read(plain));
    }),
    { numRuns: 500 },
  );
});

test('an event is there as soon as the CR that ends it, and an LF behind it ends nothing more', async () => {
  expect(await read('event: a\rdata: 1\r\rdata: 2\r\r')).toEqual([
    { event: 'a', data: '1' },
    { event: 'message', data: '2' },
  ]);
  const every = [...Array(40).keys()];
  expect(await read('data: 1\r\ndata: 2\r\n\r\n', every)).toEqual([{ event: 'message', data: '1\n2' }]);
  const { value } = await readEventStream(
    (async function* () {
      yield new TextEncoder().encode('data: 1\r\r');
      await new Promise(() => {});
    })(),
  ).next();
  expect(value).toEqual({ event: 'message', data: '1' });
});
