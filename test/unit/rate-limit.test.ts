import { heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { clientNetwork, clientSubject } from '../../src/http/access/client-address.ts';
import { gcra } from '../../src/http/limits/gcra.ts';
import { createMemoryRateLimiter } from '../../src/http/limits/rate-limiter.ts';
import { RequestContext } from '../../src/http/request-context.ts';

/** Bytes of the heap that are in use. */
function liveBytes(): number {
  Bun.gc(true);
  return heapStats().heapSize;
}

describe('a rate limit', () => {
  test('admits exactly its burst at one moment, then one more per interval', () => {
    let arrivalMs = 0;
    const take = (nowMs: number) => {
      const outcome = gcra(arrivalMs, nowMs, 5, 1_000);
      arrivalMs = outcome.arrivalMs;
      return outcome.decision;
    };
    const burst = Array.from({ length: 5 }, () => take(10_000));
    expect(burst.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true]);
    expect(burst.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0]);
    expect(take(10_000)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 1 });
    expect(take(10_199).allowed).toBe(false);
    expect(take(10_200).allowed).toBe(true);
    expect(take(10_200).allowed).toBe(false);
  });

  test('never admits more than limit + elapsed share over any sequence of requests', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 100, max: 60_000 }),
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 200, size: 'max' }),
        (limit, windowMs, gapsMs) => {
          let arrivalMs = 0;
          let nowMs = 1_000_000;
          const startMs = nowMs;
          let admitted = 0;
          for (const gapMs of gapsMs) {
            nowMs += gapMs;
            const { decision, arrivalMs: next } = gcra(arrivalMs, nowMs, limit, windowMs);
            arrivalMs = next;
            if (decision.allowed) admitted += 1;
          }
          expect(admitted).toBeLessThanOrEqual(limit + Math.ceil(((nowMs - startMs) * limit) / windowMs));
        },
      ),
    );
  });

  test('says when one more request is available, and never later than that the budget is full', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 86_400 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 1, max: 20 })), {
          minLength: 1,
          maxLength: 50,
          size: 'max',
        }),
        (limit, windowSeconds, requests) => {
          let arrivalMs = 0;
          let nowMs = 1_000_000;
          for (const [gapMs, cost] of requests) {
            nowMs += gapMs;
            const taken = gcra(arrivalMs, nowMs, limit, windowSeconds * 1_000, cost);
            arrivalMs = taken.arrivalMs;
            const { allowed, remaining, resetSeconds, nextSeconds, retryAfterSeconds } = taken.decision;
            expect(taken.decision.windowSeconds).toBe(windowSeconds);
            expect(nextSeconds).toBeLessThanOrEqual(allowed ? resetSeconds : retryAfterSeconds);
            const isAvailable = (afterSeconds: number) =>
              gcra(arrivalMs, nowMs + afterSeconds * 1_000, limit, windowSeconds * 1_000, remaining + 1)
                .decision.allowed;
            expect(isAvailable(nextSeconds)).toBe(true);
            if (remaining < limit) expect(isAvailable(nextSeconds - 1)).toBe(false);
            else expect(nextSeconds).toBe(0);
          }
        },
      ),
    );
  });

  test.each([
    [1, 2_000],
    [2, 4_000],
  ])(
    '%p in %p s: a request that comes a millisecond early is refused, and does not remain',
    (limit, seconds) => {
      const windowMs = seconds * 1_000;
      let arrivalMs = 0;
      for (let taken = 0; taken < limit; taken += 1)
        ({ arrivalMs } = gcra(arrivalMs, 1_000, limit, windowMs));
      const early = gcra(arrivalMs, 1_000 + windowMs / limit - 1, limit, windowMs).decision;
      expect(early).toMatchObject({ allowed: false, remaining: 0, nextSeconds: 1, retryAfterSeconds: 1 });
    },
  );

  test('admits a request with the cost of several wholly or not at all, and at most its limit', () => {
    const limiter = createMemoryRateLimiter(1, () => 1_000);
    const ten = { limit: 10, windowSeconds: 60 };
    const take = (cost: number, subject = 'a') => limiter.take('topics', subject, ten, cost);
    expect(take(7)).toMatchObject({ allowed: true, remaining: 3 });
    expect(take(4)).toMatchObject({ allowed: false, remaining: 3, retryAfterSeconds: 6 });
    expect(take(3)).toMatchObject({ allowed: true, remaining: 0 });
    expect(take(11)).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    expect(take(11, 'b')).toMatchObject({ allowed: true, remaining: 0 });
  });

  test('is separate per bucket and per subject', () => {
    const limiter = createMemoryRateLimiter(1, () => 1_000);
    const one = { limit: 1, windowSeconds: 60 };
    expect(limiter.take('read', 'a', one)).toMatchObject({ allowed: true });
    expect(limiter.take('read', 'a', one)).toMatchObject({ allowed: false });
    expect(limiter.take('submit', 'a', one)).toMatchObject({ allowed: true });
    expect(limiter.take('read', 'b', one)).toMatchObject({ allowed: true });
  });

  test('keeps bounded memory under a million clients, and remembers frequent ones', async () => {
    const limiter = createMemoryRateLimiter(1, () => 1_000);
    const one = { limit: 1, windowSeconds: 60 };
    await limiter.take('read', 'regular', one);
    const before = liveBytes();
    for (let client = 0; client < 1_000_000; client += 1) {
      await limiter.take('read', `client ${client}`, one);
      if (client % 100_000 === 0)
        expect(limiter.take('read', 'regular', one)).toMatchObject({ allowed: false });
    }
    expect(liveBytes() - before).toBeLessThan(64 * 1024 * 1024);
  });

  test('is refunded exactly the returned cost', async () => {
    const limiter = createMemoryRateLimiter(1, () => 1_000);
    const two = { limit: 2, windowSeconds: 60 };
    const take = () => limiter.take('read', 'a', two);
    await limiter.giveBack('read', 'a', two);
    expect([take(), take(), take()]).toMatchObject([
      { allowed: true },
      { allowed: true },
      { allowed: false },
    ]);
    await limiter.giveBack('read', 'a', two);
    expect([take(), take()]).toMatchObject([{ allowed: true }, { allowed: false }]);
  });

  test('is shared between the api processes of a machine', () => {
    const limiter = createMemoryRateLimiter(4, () => 1_000);
    expect(limiter.take('read', 'a', { limit: 8, windowSeconds: 60 })).toMatchObject({
      allowed: true,
      limit: 2,
    });
  });
});

describe('the client behind a request', () => {
  const contextOf = (peer: string, forwarded: string | undefined) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return new RequestContext(new Request('http://localhost/', { headers }), () => peer);
  };
  const subject = (peer: string, forwarded: string | undefined, hops: number) =>
    clientSubject(contextOf(peer, forwarded), hops);

  test('is the peer unless proxies are trusted', () => {
    expect(subject('192.0.2.1', '198.51.100.7', 0)).toBe('192.0.2.1');
    expect(subject('192.0.2.1', undefined, 1)).toBe('192.0.2.1');
  });

  test('is the entry of the outermost trusted proxy, never one that the client invented', () => {
    expect(subject('10.0.0.1', '6.6.6.6, 198.51.100.7', 1)).toBe('198.51.100.7');
    expect(subject('10.0.0.1', '6.6.6.6, 198.51.100.7, 10.0.0.2', 2)).toBe('198.51.100.7');
  });

  test('is one client on all its connections, though a proxy writes their ports', () => {
    for (const port of [4711, 4712]) {
      expect(subject('10.0.0.1', `6.6.6.6:1, 198.51.100.7:${port}`, 1)).toBe('198.51.100.7');
      expect(subject('10.0.0.1', `[2001:db8:1:2::9]:${port}`, 1)).toBe('2001:db8:1:2::/64');
    }
    expect(subject('10.0.0.1', '[2001:db8:1:2::9]', 1)).toBe('2001:db8:1:2::/64');
    expect(subject('10.0.0.1', '2001:db8:1:2::9', 1)).toBe('2001:db8:1:2::/64');
  });

  test('is the peer when the entry is no address, so that an invented text gets no budget of its own', () => {
    for (const entry of ['unknown', '', '_hidden', '[', 'x'.repeat(9_000), '1.2.3.4.5:6'])
      expect(subject('10.0.0.1', entry, 1)).toBe('10.0.0.1');
  });

  test('is an IPv6 network of /64, or the IPv4 address inside a mapped one', () => {
    expect(subject('2001:db8:1:2:3:4:5:6', undefined, 0)).toBe('2001:db8:1:2::/64');
    expect(subject('::ffff:192.0.2.1', undefined, 0)).toBe('192.0.2.1');
  });

  test('is in an IPv6 network of /48, whatever headers it sends, and in none with IPv4', () => {
    const network = (peer: string, forwarded?: string, hops = 0) =>
      clientNetwork(contextOf(peer, forwarded), hops);
    expect(network('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48');
    expect(network('::1', '2001:db8:9::7, 2001:db8:1:2::3', 1)).toBe('2001:db8:1::/48');
    expect(network('2001:db8:1::3', 'unknown', 1)).toBe('2001:db8:1::/48');
    expect([network('192.0.2.1'), network('::ffff:192.0.2.1')]).toEqual([null, null]);
  });
});
