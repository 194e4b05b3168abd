import { describe, expect, test } from 'bun:test';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Signer } from '../../relay/attempt/sign.ts';
import { Slots } from '../../relay/endpoints/slots.ts';
import { announcedEventId, messageBatches } from '../../relay/fan-out/consume-events.ts';
import { assertSafeSettings, defaultSettings } from '../../relay/model/settings.ts';
import { classify, parseRetryAfterMs } from '../../relay/results/classify-outcome.ts';
import { nextStep, usesSchedule } from '../../relay/results/retry-schedule.ts';
import { publishedLimits } from '../../src/shared/contract-limits.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import {
  generateWebhookSecret,
  openWebhookSecret,
  parseWebhookSecret,
  sealWebhookSecret,
} from '../../src/shared/webhooks/secret.ts';

const now = new Date('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

describe('signatures are those of Standard Webhooks', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    endpointId: 'endpoint-1',
    timestampSeconds: 1_614_265_330,
    body: Buffer.from('{"test": 2432232314}'),
  };
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  // Seed of the golden whsk_ key, in PKCS #8.
  const seed = Buffer.from(
    '6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
    'base64',
  ).subarray(0, 32);
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });

  const signerOf = (own: readonly KeyObject[], shared: readonly KeyObject[] = []) =>
    new Signer({ ofEndpoint: () => own, shared: () => shared });

  test('golden vectors of v1 and v1a', () => {
    expect(signerOf([key]).headers(message, [parseWebhookSecret(secret)])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature':
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    });
    expect(createPublicKey(key).export({ format: 'jwk' }).x).toBe(
      '1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4',
    );
  });

  test('every live secret signs, newest first, and standardwebhooks accepts each', () => {
    const secrets = [generateWebhookSecret(), generateWebhookSecret()];
    const fresh = { ...message, timestampSeconds: Math.floor(Date.now() / 1000) };
    const signed = signerOf([key]).headers(fresh, secrets.map(parseWebhookSecret));
    for (const each of secrets)
      expect(new Webhook(each).verify(fresh.body, signed)).toEqual({ test: 2432232314 });
    expect(() => new Webhook(generateWebhookSecret()).verify(fresh.body, signed)).toThrow();
    const [, , ed25519] = signed['webhook-signature'].split(' ');
    const content = Buffer.from(`${fresh.id}.${fresh.timestampSeconds}.${fresh.body}`);
    expect(verify(null, content, createPublicKey(key), Buffer.from(ed25519?.slice(4) ?? '', 'base64'))).toBe(
      true,
    );
  });

  test('a cached signature is never used for another event, second, body or secret', () => {
    const signer = signerOf([], [key]);
    const other = { ...message, id: 'msg_other' };
    const later = { ...message, timestampSeconds: message.timestampSeconds + 1 };
    const changed = { ...message, body: Buffer.from('{"test": 2432232315}') };
    for (const each of [message, message, other, later, message, changed, other, message]) {
      const secrets = [parseWebhookSecret(generateWebhookSecret())];
      expect(signer.headers(each, secrets)).toEqual(signerOf([], [key]).headers(each, secrets));
    }
  });

  test('the keys of the endpoint sign before those that endpoints share', () => {
    const own = generateKeyPairSync('ed25519').privateKey;
    const [ofOwn, ofShared] = [[own], [key]].map(
      (keys) => signerOf(keys).headers(message, [])['webhook-signature'],
    );
    expect(signerOf([own], [key]).headers(message, [])['webhook-signature']).toBe(`${ofOwn} ${ofShared}`);
  });

  test('a view into a buffer is signed by its own bytes alone', () => {
    const around = Buffer.concat([Buffer.from('xx'), message.body, Buffer.from('yy')]);
    const body = around.subarray(2, -2);
    expect(signerOf([key]).headers({ ...message, body }, [])).toEqual(signerOf([key]).headers(message, []));
  });

  test('secrets: 32 random bytes, sealed to their endpoint, never in an error', () => {
    const box = createSecretBox(new Uint8Array(32));
    const sealed = sealWebhookSecret(box, 'a', secret);
    expect(openWebhookSecret(box, 'a', sealed)).toBe(secret);
    expect(() => openWebhookSecret(box, 'b', sealed)).toThrow();
    expect(parseWebhookSecret(generateWebhookSecret()).byteLength).toBe(32);
    for (const wrong of ['', 'whsec_', 'whsec_AAAA', 'whsec_!', secret.slice(6), `${secret}=`]) {
      expect(() => parseWebhookSecret(wrong)).toThrow('not a webhook secret');
    }
  });
});

describe('an outcome decides', () => {
  const answered = (status: number, retryAfter: string | null = null) =>
    classify({ kind: 'responded', status, retryAfter }, now);

  test('2xx succeeds, everything else is http_<status>', () => {
    for (const status of [200, 201, 202, 204, 299]) {
      expect(answered(status)).toMatchObject({ succeeded: true, errorCode: null, responseStatus: status });
    }
    for (const status of [300, 303, 304, 400, 401, 404, 429, 500, 503, 599]) {
      expect(answered(status)).toMatchObject({ succeeded: false, errorCode: `http_${status}`, gone: false });
    }
  });
  test('410 is gone; Retry-After counts on 429 and 503 only', () => {
    expect(answered(410)).toMatchObject({ gone: true, errorCode: 'http_410' });
    expect(answered(429, '60').pauseMs).toBe(60_000);
    expect(answered(503, '60').pauseMs).toBe(60_000);
    for (const status of [200, 500, 502, 504]) expect(answered(status, '60').pauseMs).toBeNull();
  });
  test('a transport failure keeps its code and its reason', () => {
    const cause = { code: 'tls_error', reason: 'handshake_failed' } as const;
    const verdict = classify({ kind: 'failed', ...cause, detail: '', status: null }, now);
    expect(verdict).toEqual({
      succeeded: false,
      errorCode: 'tls_error',
      errorReason: 'handshake_failed',
      wasSent: true,
      responseStatus: null,
      gone: false,
      pauseMs: null,
    });
  });
  test('Retry-After: seconds or an HTTP date, at most 24 h, never the past', () => {
    const pauses = [
      ['1', 1_000],
      [' 120 ', 120_000],
      ['86401', DAY_MS],
      ['999999999999', DAY_MS],
      ['Thu, 01 Jan 2026 00:10:00 GMT', 600_000],
      ['Thursday, 01-Jan-26 00:10:00 GMT', 600_000],
      ['Thu Jan  1 00:10:00 2026', 600_000],
      ['Fri, 01 Jan 2027 00:00:00 GMT', DAY_MS],
      ['Wed, 31 Dec 2025 23:59:59 GMT', null],
      ['0', null],
      ['-5', null],
      ['1.5', null],
      ['2026-01-01T00:10:00Z', null],
      ['soon', null],
      ['', null],
      [null, null],
    ] as const;
    const before = process.env.TZ;
    try {
      for (const zone of ['Etc/UTC', 'America/New_York']) {
        process.env.TZ = zone;
        for (const [value, pauseMs] of pauses)
          expect([zone, value, parseRetryAfterMs(value, now)]).toEqual([zone, value, pauseMs]);
      }
    } finally {
      process.env.TZ = before ?? 'Etc/UTC';
    }
  });
});

describe('the schedule', () => {
  const failed = classify({ kind: 'responded', status: 500, retryAfter: null }, now);
  const scheduleMs = [5_000, 300_000];
  const at = (scheduleIndex: number) => ({ scheduleIndex, attemptNumber: scheduleIndex + 1 });

  test('one attempt more than it has pauses, then dead letter', () => {
    expect(nextStep(failed, at(0), scheduleMs, 0.5)).toEqual({ transition: 'failed', delayMs: 5_000 });
    expect(nextStep(failed, at(1), scheduleMs, 0.5)).toEqual({ transition: 'failed', delayMs: 300_000 });
    expect(nextStep(failed, at(2), scheduleMs, 0.5)).toEqual({ transition: 'exhausted' });
    expect(nextStep(failed, at(0), [], 0.5)).toEqual({ transition: 'exhausted' });
  });
  test('spreads its pauses by ±20 %', () => {
    expect(nextStep(failed, at(0), scheduleMs, 0)).toEqual({ transition: 'failed', delayMs: 4_000 });
    expect(nextStep(failed, at(0), scheduleMs, 1)).toEqual({ transition: 'failed', delayMs: 6_000 });
  });
  test('never goes below Retry-After; success and gone end it', () => {
    const busy = classify({ kind: 'responded', status: 503, retryAfter: '3600' }, now);
    expect(nextStep(busy, at(0), scheduleMs, 0)).toEqual({ transition: 'failed', delayMs: 3_600_000 });
    const gone = classify({ kind: 'responded', status: 410, retryAfter: null }, now);
    expect(nextStep(gone, at(0), scheduleMs, 0)).toEqual({ transition: 'exhausted' });
    const good = classify({ kind: 'responded', status: 200, retryAfter: null }, now);
    expect(nextStep(good, at(9), scheduleMs, 0)).toEqual({ transition: 'succeeded' });
  });
  test('a delivery that cannot be signed waits beyond the schedule, at most half an hour', () => {
    const cause = { code: 'signing_failed', reason: null } as const;
    const unsigned = classify({ kind: 'unsent', cause, detail: '' }, now);
    expect(unsigned).toMatchObject({ succeeded: false, errorCode: 'signing_failed', wasSent: false });
    const after = (attemptNumber: number, schedule = scheduleMs) =>
      nextStep(unsigned, { scheduleIndex: 0, attemptNumber }, schedule, 0.5);
    expect(after(1)).toEqual({ transition: 'failed', delayMs: 5_000 });
    expect(after(2)).toEqual({ transition: 'failed', delayMs: 300_000 });
    expect(after(3)).toEqual({ transition: 'failed', delayMs: 1_800_000 });
    expect(after(1, [36_000_000])).toEqual({ transition: 'failed', delayMs: 1_800_000 });
    expect(after(1_439)).toEqual({ transition: 'failed', delayMs: 1_800_000 });
    expect(after(1_440)).toEqual({ transition: 'exhausted' });
    expect([usesSchedule(unsigned), usesSchedule(failed)]).toEqual([false, true]);
  });
});

describe('slots leave room for endpoints that answer', () => {
  test('a newcomer gets 2, a proven endpoint all, a stalled one 1', () => {
    const slots = new Slots(100, 1_000);
    expect(slots.left('new')).toBe(2);
    slots.take('proven', 0)(10);
    expect(slots.left('proven')).toBe(100);
    slots.take('slow', 0)(1_000);
    expect(slots.left('slow')).toBe(1);
    slots.take('hanging', 1_000);
    slots.markStalled(2_000);
    expect(slots.left('hanging')).toBe(0);
    expect([...slots.busyEndpointIds()]).toEqual(['hanging']);
  });
  test('newcomers fill three quarters, stalled endpoints half; the rest stays for proven ones', () => {
    const slots = new Slots(100, 1_000);
    slots.take('proven', 0)(10);
    let taken = 0;
    for (let index = 0; index < 100; index += 1)
      while (slots.tryTake(`new-${index}`, 10) !== null) taken += 1;
    expect(taken).toBe(75);
    slots.markStalled(5_000);
    expect(slots.left('another')).toBe(0);
    expect(slots.left('proven')).toBe(25);
    for (let index = 0; index < 25; index += 1) expect(slots.tryTake('proven', 5_000)).not.toBeNull();
    expect(slots.left('proven')).toBe(0);
    expect(slots.free).toBe(0);
  });
});

test('an attempt has as long as the contract says, and a lease that could end before it is refused', () => {
  expect(defaultSettings.attemptDeadlineMs).toBe(publishedLimits.webhookDeadlineSeconds * 1_000);
  expect(() => assertSafeSettings(defaultSettings)).not.toThrow();
  expect(() => assertSafeSettings({ ...defaultSettings, leaseMs: 19_999 })).toThrow(RangeError);
  expect(() => assertSafeSettings({ ...defaultSettings, attemptDeadlineMs: 25_000 })).toThrow(RangeError);
});

test('a message without a UUID in Nats-Msg-Id is ignored', () => {
  const withId = (id: string) =>
    ({ headers: { get: () => id } }) as unknown as Parameters<typeof announcedEventId>[0];
  expect(announcedEventId(withId('01a1f8a6-8f95-70ec-90cb-643b49a966b7'))).toBe(
    '01a1f8a6-8f95-70ec-90cb-643b49a966b7',
  );
  for (const id of ['', 'x', "'; drop table events; --"]) expect(announcedEventId(withId(id))).toBeNull();
});

test('message batches take the available messages in order, and lose none', async () => {
  async function* source() {
    for (let index = 0; index < 25; index += 1) yield index;
  }
  const batches: number[][] = [];
  for await (const batch of messageBatches(source(), 10)) batches.push(batch);
  expect(batches.map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(batches.flat()).toEqual(Array.from({ length: 25 }, (_, index) => index));
});

test('a session that breaks while a full batch is in progress fails the next read, and not the process', async () => {
  async function* source() {
    yield* [1, 2];
    throw new Error('the consumer is gone');
  }
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const batches = messageBatches(source(), 2);
  expect((await batches.next()).value).toEqual([1, 2]);
  await new Promise((resolve) => setImmediate(resolve));
  await expect(batches.next()).rejects.toThrow('the consumer is gone');
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
