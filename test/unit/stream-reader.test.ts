import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';
import { type EndReason, StreamReader } from '../../src/features/streams/readers/reader.ts';

/** A connection that takes `capacity` writes, and more when it is emptied. */
class Connection {
  capacity: number;
  readonly sent: StreamMessage[] = [];
  writes = 0;
  ended: { reason: EndReason; last: StreamMessage | null } | null = null;
  constructor(capacity: number) {
    this.capacity = capacity;
  }
  send(messages: readonly StreamMessage[]): boolean {
    this.sent.push(...messages);
    this.writes += 1;
    this.capacity -= 1;
    return this.capacity > 0;
  }
  end(reason: EndReason, last: StreamMessage | null): void {
    this.ended = { reason, last };
  }
}

function readerOn(connection: Connection, bufferBytes = 1_000_000, stallMs = 60_000) {
  const calls = { slow: 0, conflated: 0, ended: [] as (EndReason | null)[] };
  const reader = new StreamReader({
    subject: 'a reader',
    sink: connection,
    transport: 'sse',
    bufferBytes,
    stallMs,
    onSlow: (slow) => {
      calls.slow += 1;
      slow.end('slow_reader');
    },
    onConflated: () => {
      calls.conflated += 1;
    },
    onEnded: (_reader, reason) => calls.ended.push(reason),
  });
  return { reader, calls };
}

function tell(reader: StreamReader, ...messages: StreamMessage[]): void {
  for (const message of messages) reader.offer(message);
  reader.flush();
}

let counter = 0;
const history = (text = 'x') => new StreamMessage({ event: 'trade', text: `${text}${counter++}` });
const state = (key: string) =>
  new StreamMessage({ event: 'token', text: `${key}${counter++}`, stateKey: key });

describe('a reader', () => {
  test('with room gets every message, and all messages of one read in one write', () => {
    const connection = new Connection(Number.POSITIVE_INFINITY);
    const { reader } = readerOn(connection);
    const messages = [history(), state('a'), state('a'), history()];
    const [first, ...others] = messages.map((message) => reader.offer(message));
    expect([first, ...new Set(others)]).toEqual([true, false]);
    expect(connection.writes).toBe(0);
    reader.flush();
    reader.flush();
    expect(connection.sent).toEqual(messages);
    expect(connection.writes).toBe(1);
    expect(reader.queuedBytes).toBe(0);
  });

  test('gets a message that fits several of its topics once', () => {
    const connection = new Connection(Number.POSITIVE_INFINITY);
    const { reader } = readerOn(connection);
    const message = history();
    tell(reader, message, message);
    tell(reader, message);
    expect(connection.sent).toEqual([message]);
  });

  test('gets a large batch in several writes, and keeps the rest when one write fills the connection', () => {
    const connection = new Connection(2);
    const { reader } = readerOn(connection);
    const messages = Array.from({ length: 10 }, () => history('y'.repeat(20_000)));
    tell(reader, ...messages);
    expect(connection.writes).toBe(2);
    expect(connection.sent).toEqual(messages.slice(0, 8));
    connection.capacity = 5;
    reader.onDrained();
    expect(connection.sent).toEqual(messages);
    expect(reader.queuedBytes).toBe(0);
  });

  test('gets what waited in few writes', () => {
    const connection = new Connection(1);
    const { reader } = readerOn(connection);
    const messages = Array.from({ length: 100 }, () => history());
    for (const message of messages) tell(reader, message);
    expect([connection.writes, connection.sent.length]).toEqual([1, 1]);
    connection.capacity = 2;
    reader.onDrained();
    expect(connection.sent).toEqual(messages);
    expect(connection.writes).toBe(2);
  });

  test('gets all messages from before its end', () => {
    const connection = new Connection(5);
    const { reader } = readerOn(connection);
    const [told, last] = [history(), history()];
    reader.offer(told);
    reader.end('draining', last);
    expect(connection.sent).toEqual([told]);
    expect(connection.ended).toEqual({ reason: 'draining', last });
  });

  test('that stops reading loses no history and no last state, and keeps their order', () => {
    const step = fc.oneof(
      fc.constant('history' as const),
      fc.constantFrom('a', 'b', 'c'),
      fc.integer({ min: 1, max: 4 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const connection = new Connection(1);
        const { reader, calls } = readerOn(connection);
        const offered: StreamMessage[] = [];
        for (const one of steps) {
          if (typeof one === 'number') {
            connection.capacity = one;
            reader.onDrained();
          } else {
            const message = one === 'history' ? history() : state(one);
            offered.push(message);
            tell(reader, message);
          }
        }
        connection.capacity = Number.POSITIVE_INFINITY;
        reader.onDrained();
        const { sent } = connection;
        const histories = (list: StreamMessage[]) => list.filter(({ stateKey }) => stateKey === null);
        expect(histories(sent)).toEqual(histories(offered));
        for (const key of ['a', 'b', 'c']) {
          const last = (list: StreamMessage[]) => list.findLast(({ stateKey }) => stateKey === key);
          expect(last(sent)).toBe(last(offered) as StreamMessage);
        }
        const places = sent.map((message) => offered.indexOf(message));
        expect(places).toEqual(places.toSorted((left, right) => left - right));
        expect(sent.length + calls.conflated).toBe(offered.length);
        expect(reader.queuedBytes).toBe(0);
      }),
    );
  });

  test('keeps at most one message for each state, however long it does not read', () => {
    const connection = new Connection(1);
    const { reader, calls } = readerOn(connection, 200);
    tell(reader, history());
    for (let at = 0; at < 100_000; at += 1) tell(reader, state(at % 2 === 0 ? 'a' : 'b'));
    expect(calls.slow).toBe(0);
    expect(reader.queuedBytes).toBeLessThan(20);
    connection.capacity = 10;
    reader.onDrained();
    expect(connection.sent.length).toBe(3);
  });

  test('ends with a reason when histories fill its buffer, once, and takes nothing more', () => {
    const connection = new Connection(1);
    const { reader, calls } = readerOn(connection, 1_000);
    for (let at = 0; at < 50; at += 1) tell(reader, history('y'.repeat(100)));
    expect(calls).toMatchObject({ slow: 1, ended: ['slow_reader'] });
    // A last message would wait after the unread ones.
    expect(connection.ended).toEqual({ reason: 'slow_reader', last: null });
    expect(connection.sent.length).toBe(1);
    expect(reader.queuedBytes).toBe(0);
  });

  test('accepts the beginning of a stream even beyond its bound', () => {
    const connection = new Connection(1);
    const { reader, calls } = readerOn(connection, 100);
    for (let at = 0; at < 50; at += 1) reader.offer(history('y'.repeat(100)), false);
    expect(calls.slow).toBe(0);
  });

  test('makes its source wait until its connection has room again, or it has ended', async () => {
    const connection = new Connection(1);
    const { reader } = readerOn(connection);
    tell(reader, history());
    let emptied = 0;
    const waiting = [reader.emptied(), reader.emptied()].map((wait) => wait.then(() => (emptied += 1)));
    await Promise.resolve();
    expect(emptied).toBe(0);
    connection.capacity = 5;
    reader.onDrained();
    await Promise.all(waiting);
    connection.capacity = 1;
    tell(reader, history());
    const last = reader.emptied();
    reader.end(null);
    await last;
    expect(connection.ended).toBeNull();
  });

  test('is ended as too slow when it makes its source wait and reads nothing, and not when it reads in time', async () => {
    const stuck = new Connection(1);
    const slow = readerOn(stuck, 1_000_000, 1);
    tell(slow.reader, history());
    await slow.reader.emptied();
    expect(slow.calls).toMatchObject({ slow: 1, ended: ['slow_reader'] });
    const reading = new Connection(1);
    const timely = readerOn(reading, 1_000_000, 60_000);
    tell(timely.reader, history());
    const taken = timely.reader.emptied();
    reading.capacity = 5;
    timely.reader.onDrained();
    await taken;
    expect(timely.calls).toMatchObject({ slow: 0, ended: [] });
  });
});
