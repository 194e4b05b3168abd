import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createReadGates } from '../../src/http/caches/read-gates.ts';
import { accountClient, Gate, type GateClient, GateRefused } from '../../src/shared/gate.ts';

const LONG_MS = 60_000;

const keyed = accountClient;
const stranger = (name: string): GateClient => ({ name, isKeyed: false });

/** Work that ends when the test says so. */
function stage(gate: Gate) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, client = keyed('a')) =>
    gate.run(client, async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { begun, work, end };
}

test('a gate runs work up to its limit, queues more in order, and refuses the rest without calling it', async () => {
  const gate = new Gate({ runningMax: 2, clientRunningMax: 2, waitingMax: 2, waitMaxMs: LONG_MS });
  const { begun, work, end } = stage(gate);
  const all = ['0', '1', '2', '3'].map((name) => work(name));
  for (const name of ['4', '5']) expect(work(name)).rejects.toBeInstanceOf(GateRefused);
  expect(begun).toEqual(['0', '1']);
  await end('1');
  expect(begun).toEqual(['0', '1', '2']);
  for (const name of ['0', '2', '3']) await end(name);
  expect(await Promise.all(all)).toEqual(['0', '1', '2', '3']);
  expect(gate.refused).toBe(2);
});

test('work that waits too long is refused and leaves its place in the queue to another', async () => {
  const gate = new Gate({ runningMax: 1, waitingMax: 1, waitMaxMs: 1 });
  const { begun, work, end } = stage(gate);
  const first = work('0');
  expect(work('1')).rejects.toBeInstanceOf(GateRefused);
  await work('2').catch(() => {});
  await expect(work('3')).rejects.toBeInstanceOf(GateRefused);
  await end('0');
  await first;
  const last = work('4');
  expect(begun).toEqual(['0', '4']);
  await end('4');
  expect(await last).toBe('4');
});

test('work that fails makes room like work that succeeds', async () => {
  const gate = new Gate({ runningMax: 1, waitingMax: 0 });
  for (let round = 0; round < 3; round += 1)
    await expect(gate.run(keyed('a'), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await gate.run(keyed('a'), async () => 'done')).toBe('done');
});

test('freed places go to clients in turn, and to the work of one in its order', async () => {
  const gate = new Gate({ runningMax: 1 });
  const { begun, work, end } = stage(gate);
  const all = [work('a1'), work('a2'), work('a3'), work('b1', keyed('b')), work('c1', keyed('c'))];
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) {
    expect(begun.at(-1)).toBe(name);
    await end(name);
  }
  await Promise.all(all);
});

test('a client with less waiting work displaces the newest of the client with the most', async () => {
  const gate = new Gate({ runningMax: 1, waitingMax: 3, waitMaxMs: LONG_MS });
  const { begun, work, end } = stage(gate);
  const greedy = ['a1', 'a2', 'a3', 'a4'].map((name) => work(name));
  greedy[3]?.catch(() => {});
  const modest = work('b1', keyed('b'));
  await expect(greedy[3]).rejects.toThrow('took the waiting place');
  const second = work('b2', keyed('b'));
  await expect(second).rejects.toThrow('3 are waiting already');
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
  await Promise.all([...greedy.slice(0, 3), modest]);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('two more than it has are enough to displace one, and one more is not', async () => {
  const gate = new Gate({ runningMax: 1, waitingMax: 3, waitMaxMs: LONG_MS });
  const { work, end } = stage(gate);
  const greedy = ['a1', 'a2', 'a3'].map((name) => work(name));
  greedy[2]?.catch(() => {});
  const others = [work('c1', keyed('c')), work('b1', keyed('b'))];
  await expect(greedy[2]).rejects.toThrow('took the waiting place');
  await expect(work('d1', keyed('d'))).rejects.toThrow('3 are waiting already');
  for (const name of ['a1', 'a2', 'c1', 'b1']) await end(name);
  await Promise.all([...greedy.slice(0, 2), ...others]);
});

test('clients without a key leave a quarter of places and waiting places to those with one', async () => {
  const gate = new Gate({ runningMax: 4, waitingMax: 8, waitMaxMs: LONG_MS });
  const { begun, work, end } = stage(gate);
  const strangers = Array.from({ length: 20 }, (_, at) =>
    work(`s${at}`, stranger(`s${at}`)).catch(() => 'refused'),
  );
  expect(begun).toEqual(['s0', 's1', 's2']);
  expect(gate.refused).toBe(20 - 3 - 6);
  const own = work('k', keyed('k'));
  expect(begun.at(-1)).toBe('k');
  await end('k');
  await own;
  for (let at = 0; at < 9; at += 1) await end(`s${at}`);
  await Promise.all(strangers);
});

test('shares of a client that are used up let its other work pass', async () => {
  const gate = new Gate({ runningMax: 3, clientRunningMax: 2 });
  const { begun, work, end } = stage(gate);
  const at = (name: string) => ({ ...keyed('a'), shares: [{ name, max: 1 }] });
  const all = [work('x1', at('x')), work('x2', at('x')), work('y1', at('y')), work('b', keyed('b'))];
  expect(begun).toEqual(['x1', 'y1', 'b']);
  await end('x1');
  expect(begun.at(-1)).toBe('x2');
  for (const name of ['x2', 'y1', 'b']) await end(name);
  await Promise.all(all);
});

/** The requests that a rate policy admits at once, with room for a larger setting. */
const BURST = 10_000;

describe.each(Object.entries(createReadGates()))(
  'the gate %s, filled by the burst of one client',
  (_, { options }) => {
    test.each([
      ['another account', stranger('flood'), keyed('b')],
      ['another address', stranger('flood'), stranger('b')],
      ['an account, beside the flood of an account', keyed('flood'), keyed('b')],
      ['an address, beside the flood of an account', keyed('flood'), stranger('b')],
    ])('runs the work of %s at once', (_name, flooder, other) => {
      const gate = new Gate(options);
      const refused = () => {};
      for (let at = 0; at < BURST; at += 1)
        if (!gate.tryTake(flooder)) gate.queue(flooder, () => {}, refused);
      const ends: string[] = [];
      if (!gate.tryTake(other))
        gate.queue(
          other,
          () => ends.push('begun'),
          () => ends.push('refused'),
        );
      else ends.push('begun');
      expect(ends).toEqual(['begun']);
    });

    test('and by those of three strangers, runs the work of an account within one place', () => {
      const gate = new Gate(options);
      const flooders = [keyed('x'), stranger('y'), stranger('z')];
      const running: GateClient[] = [];
      for (let at = 0; at < BURST; at += 1)
        for (const client of flooders) {
          if (gate.tryTake(client)) running.push(client);
          else
            gate.queue(
              client,
              () => running.push(client),
              () => {},
            );
        }
      let end = '';
      const own = keyed('own');
      if (gate.tryTake(own)) end = 'begun';
      else
        gate.queue(
          own,
          () => (end = 'begun'),
          () => (end = 'refused'),
        );
      // Each of the others may have its turn before.
      for (let turn = 0; turn <= flooders.length && end === ''; turn += 1) {
        const [first] = running.splice(0, 1);
        if (first !== undefined) gate.release(first);
      }
      expect(end).toBe('begun');
    });
  },
);

test('never run more than the gate and each client may, and no work waits while it has room', async () => {
  const clients = [keyed('a'), keyed('b'), stranger('c'), stranger('d')];
  const step = fc.record({ client: fc.constantFrom(...clients), ends: fc.boolean() });
  await fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 5 }),
      fc.array(step, { maxLength: 80, size: 'max' }),
      (runningMax, waitingMax, steps) => {
        const gate = new Gate({ runningMax, waitingMax });
        const running: GateClient[] = [];
        const waiting: GateClient[] = [];
        const remove = (from: GateClient[], client: GateClient) => from.splice(from.indexOf(client), 1);
        const of = (from: GateClient[], client: GateClient) => from.filter((one) => one === client).length;
        const strangers = (from: GateClient[]) => from.filter(({ isKeyed }) => !isKeyed).length;
        const kept = (max: number) => Math.floor(max / 4);
        for (const { client, ends } of steps) {
          if (ends) {
            if (!running.includes(client)) continue;
            remove(running, client);
            gate.release(client);
          } else if (gate.tryTake(client)) running.push(client);
          else {
            waiting.push(client);
            gate.queue(
              client,
              () => {
                remove(waiting, client);
                running.push(client);
              },
              () => remove(waiting, client),
            );
          }
          expect(running.length).toBeLessThanOrEqual(runningMax);
          expect(waiting.length).toBeLessThanOrEqual(waitingMax);
          expect(strangers(running)).toBeLessThanOrEqual(runningMax - kept(runningMax));
          expect(strangers(waiting)).toBeLessThanOrEqual(waitingMax - kept(waitingMax));
          for (const one of clients) expect(of(running, one)).toBeLessThanOrEqual(Math.ceil(runningMax / 2));
          for (const one of waiting) {
            const isFull = running.length === runningMax;
            const hasShare = of(running, one) < Math.ceil(runningMax / 2);
            const isPartFull = !one.isKeyed && strangers(running) === runningMax - kept(runningMax);
            expect(isFull || !hasShare || isPartFull).toBe(true);
          }
        }
      },
    ),
  );
});
