import { expect, test } from 'bun:test';
import { openLoop } from '../../bench/load/open-loop.ts';
import { ownAddress } from '../../bench/load/own-address.ts';
import { poissonArrivals } from '../../bench/load/poisson-arrivals.ts';
import { ResponseCounter } from '../../bench/load/response-counter.ts';
import { seededRandom } from '../../bench/measurement/seeded-random.ts';
import { atEnd } from '../support/run/cleanup.ts';

const STALL_MS = 120;
const request = Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');

/** Answers 200 at once, but holds its first answer back for a while. */
function serveStalled(): number {
  let asked = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      asked += 1;
      // biome-ignore lint/plugin: the stall is what is measured
      if (asked === 1) await Bun.sleep(STALL_MS);
      return new Response('ok');
    },
  });
  atEnd(() => server.stop(true));
  return server.port ?? 0;
}

test('a stall shows in every request that was due during it, not in one', async () => {
  const arrivalsMs = Float64Array.from({ length: 10 }, (_, index) => index);
  const load = { port: serveStalled(), connections: 1, arrivalsMs, nextRequest: () => request };
  const { latenciesMs, errors } = await openLoop({ ...load, expectedStatus: 200 });
  expect(errors).toBe(0);
  expect(latenciesMs).toHaveLength(arrivalsMs.length);
  const [stallMs = 0] = latenciesMs;
  expect(stallMs).toBeGreaterThan(arrivalsMs.length);
  // Each was due a millisecond later than the one before it, and got its response after the first one.
  for (const [index, latencyMs] of latenciesMs.entries())
    expect(latencyMs + index).toBeGreaterThanOrEqual(stallMs);
});

test('an unexpected status is an error with its text, and a closed connection ends the run', async () => {
  const arrivalsMs = Float64Array.of(0, 1, 2);
  const load = { port: serveStalled(), connections: 2, arrivalsMs, nextRequest: () => request };
  const { errors, firstError } = await openLoop({ ...load, expectedStatus: 201 });
  expect(errors).toBe(3);
  expect(firstError).toContain('status 200 instead of 201');

  const closing = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.end() },
  });
  atEnd(async () => closing.stop(true));
  const refused = openLoop({ ...load, port: closing.port, expectedStatus: 200 });
  await expect(refused).rejects.toThrow('closed the connection');
});

test('the schedule is fixed by its seed, ascending, within the duration, and at its rate', () => {
  const arrivals = poissonArrivals(1_000, 10_000, seededRandom(7));
  expect(arrivals).toEqual(poissonArrivals(1_000, 10_000, seededRandom(7)));
  expect(arrivals).not.toEqual(poissonArrivals(1_000, 10_000, seededRandom(8)));
  expect(arrivals).toEqual(Float64Array.from(arrivals).sort());
  expect(arrivals.at(-1)).toBeLessThan(10_000);
  // Four standard deviations of a Poisson count of 10,000.
  expect(Math.abs(arrivals.length - 10_000)).toBeLessThan(400);
});

test('each response counts once, however the network cuts it, and two responses at once are refused', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello');
  for (let cut = 1; cut < bytes.byteLength; cut += 1) {
    const counter = new ResponseCounter();
    expect(counter.push(bytes.subarray(0, cut))).toBeNull();
    expect(counter.push(bytes.subarray(cut))).toBe(200);
    expect(counter.push(bytes)).toBe(200);
  }
  const notModified = 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n';
  expect(new ResponseCounter().push(Buffer.from(notModified))).toBe(304);
  expect(() => new ResponseCounter().push(Buffer.concat([bytes, bytes]))).toThrow('more bytes');
});

test('a closed connection is opened again on demand, and only a request that was on it is an error', async () => {
  let served = 0;
  const closing = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        served += 1;
        // The second request gets no response; each other one is the last of its connection, and says so.
        if (served === 2) socket.end();
        else socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      },
    },
  });
  atEnd(async () => closing.stop(true));
  const { latenciesMs, errors, statuses } = await openLoop({
    port: closing.port,
    connections: 1,
    arrivalsMs: Float64Array.of(0, 1, 2, 3),
    nextRequest: () => request,
    expectedStatus: 200,
    reopens: true,
  });
  expect({ errors, statuses, responses: latenciesMs.length }).toEqual({
    errors: 1,
    statuses: { 200: 3 },
    responses: 3,
  });
});

test('bodies in chunks are counted, wherever the bytes are cut', () => {
  const response =
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;note=1\r\nhello\r\nA\r\n0123456789\r\n0\r\nx-end: 1\r\n\r\n';
  const bytes = Buffer.from(response);
  for (let cut = 1; cut < bytes.byteLength; cut += 1) {
    const counter = new ResponseCounter();
    expect(counter.push(bytes.subarray(0, cut))).toBe(null);
    expect(counter.push(bytes.subarray(cut))).toBe(200);
  }
  const counter = new ResponseCounter();
  expect(() => counter.push(Buffer.from(`${response}more`))).toThrow('more bytes than one response');
  expect(() => new ResponseCounter().push(Buffer.from(response.replace('5;note=1', 'zz')))).toThrow(
    'no size of a chunk: zz',
  );
});

test('load on a public address is refused until it is allowed', async () => {
  for (const own of ['127.0.0.1', '[::1]', '10.1.2.3', 'fd00::1', '100.64.0.1', 'localhost'])
    expect(await ownAddress(own, false)).toHaveProperty('address');
  for (const foreign of ['1.1.1.1', '[2606:4700::1]', '::ffff:8.8.8.8'])
    expect(await ownAddress(foreign, false)).toHaveProperty('refused');
  expect(await ownAddress('1.1.1.1', true)).toEqual({ address: '1.1.1.1' });
});
