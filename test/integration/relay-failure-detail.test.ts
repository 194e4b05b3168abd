import { beforeAll, describe, expect, test } from 'bun:test';
import { storableDetail } from '../../relay/attempt/attempt-failure.ts';
import { listDeliveries } from '../../src/features/webhooks/deliveries/list-deliveries.ts';
import { publishedLimits } from '../../src/shared/contract-limits.ts';
import {
  expiredCertificate,
  selfSignedCertificate,
  testAuthority,
  trustedCertificate,
} from '../support/webhooks/webhook-certificates.ts';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

/** One case waits for this deadline; a busy machine needs a part of it for a handshake. */
const DEADLINE_MS = 10_000;

let world: RelayWorld;

beforeAll(async () => {
  // Only first attempts are looked at.
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '3600' });
  await world.startRelay(
    { attemptDeadlineMs: DEADLINE_MS },
    {
      certificateAuthorities: [testAuthority],
      resolve: async (hostname) => {
        if (hostname === 'gone.example.test')
          throw new Error(`no https://${hostname}/?token=hush\u0000 found`);
        return [hostname === 'private.example.test' ? '10.0.0.1' : '127.0.0.1'];
      },
    },
  );
});

/** The first attempt at a URL, as the subscriber's API shows it and as operators see it. */
async function attemptAt(url: string): Promise<{ code: string | null; detail: string | null }> {
  const { id, accountId } = await world.createEndpoint(url);
  const eventId = await world.publish({ accountId });
  const delivery = await world.deliveryOf(
    id,
    eventId,
    ({ attemptCount, status }) => attemptCount === 1 && status !== 'processing',
  );
  const [attempt] = await world.sql<{ errorCode: string | null; errorDetail: string | null }[]>`
    select error_code, error_detail from webhook_attempts where delivery_id = ${delivery.id}`;
  expect(attempt?.errorCode ?? null).toBe(delivery.lastErrorCode);
  return { code: delivery.lastErrorCode, detail: attempt?.errorDetail ?? null };
}

async function redirectTo(location: string): Promise<string> {
  const { origin } = await startReceiver({
    respond: (response) => response.writeHead(307, { location }).end(),
  });
  return origin;
}

describe('a failed attempt keeps its cause for operators', () => {
  for (const [cause, host, certificate] of [
    ['certificate has expired', 'hook.example.test', expiredCertificate],
    ['self signed certificate', 'hook.example.test', selfSignedCertificate],
    ["other.example.test. is not in the cert's altnames", 'other.example.test', trustedCertificate],
  ] as const) {
    test(`TLS: ${cause}`, async () => {
      const { port } = await startReceiver({ certificate });
      const { code, detail } = await attemptAt(`https://${host}:${port}/?token=hush`);
      expect(code).toBe('tls_error');
      expect(detail).toContain(cause);
      expect(detail).not.toContain('hush');
    });
  }

  test('connection refused, with the address', async () => {
    const closed = await startReceiver();
    await closed.close();
    expect(await attemptAt(`${closed.origin}/`)).toEqual({
      code: 'network_error',
      detail: `connect ECONNREFUSED 127.0.0.1:${closed.port}`,
    });
  });

  test('a name that does not resolve, without the query and the control character of the message', async () => {
    expect(await attemptAt('https://gone.example.test/')).toEqual({
      code: 'dns_error',
      detail: 'no https://gone.example.test/ found',
    });
  });

  test('no answer within the deadline', async () => {
    const { port } = await startRawReceiver(() => {});
    expect(await attemptAt(`http://127.0.0.1:${port}/`)).toEqual({
      code: 'request_timeout',
      detail: `no complete response within ${DEADLINE_MS} ms`,
    });
  });

  test('a name that moved to a private address', async () => {
    expect(await attemptAt('https://private.example.test/')).toEqual({
      code: 'url_disallowed',
      detail: 'address_not_public: 10.0.0.1 is not a public address (private)',
    });
  });

  test('a denied hop of a chain, with the reason, without path, query or user name', async () => {
    const second = await redirectTo('https://user:hush@private.example.test/hush?token=hush');
    const withUser = await redirectTo(`${second}/hush?token=hush`);
    expect(await attemptAt(withUser)).toEqual({
      code: 'url_disallowed',
      detail: 'redirect 2 to https://private.example.test: userinfo_not_allowed: no user name or password',
    });
    const toPrivate = await redirectTo('https://private.example.test/hush?token=hush');
    expect(await attemptAt(await redirectTo(toPrivate))).toEqual({
      code: 'url_disallowed',
      detail:
        'redirect 2 to https://private.example.test: address_not_public: 10.0.0.1 is not a public address (private)',
    });
  });

  test('too many redirects', async () => {
    const { webhookRedirects } = publishedLimits;
    const { origin } = await startReceiver({
      respond: (response) => response.writeHead(302, { location: '/again' }).end(),
    });
    expect(await attemptAt(origin)).toEqual({
      code: 'redirect_limit_exceeded',
      detail: `redirect ${webhookRedirects} to ${origin}: responded with 302, at most ${webhookRedirects} redirects are followed`,
    });
  });

  test('none for a success, and none where the status is the whole cause', async () => {
    const good = await startReceiver();
    expect(await attemptAt(good.origin)).toEqual({ code: null, detail: null });
    const bad = await startReceiver({ respond: (response) => response.writeHead(500).end() });
    expect(await attemptAt(bad.origin)).toEqual({ code: 'http_500', detail: null });
  });
});

describe('a stored cause', () => {
  test('is one line of at most 500 characters that Postgres accepts, for any text of a destination', async () => {
    const hostile = `a\u0000b\r\nc\u202ed\ud800${'😀'.repeat(600)}`;
    const detail = storableDetail(hostile);
    expect(detail).toStartWith('a b c d\ufffd😀');
    expect(detail.length).toBe(500);
    const [row] = await world.sql<{ detail: string }[]>`
      select ${world.sql.json({ detail })}::jsonb ->> 'detail' as detail`;
    expect(row?.detail).toBe(detail);
    // A pair of surrogates that the limit cuts in two.
    expect(storableDetail(`x${'😀'.repeat(300)}`)).toEndWith('\ufffd');
  });

  test('holds no query, fragment or user name of a URL', () => {
    for (const [text, expected] of [
      ['GET https://a.test/p?token=hush failed', 'GET https://a.test/p failed'],
      ['https://user:hush@a.test/p#hush', 'https://a.test/p'],
      ['no https://hush@hush@a.test, is it?', 'no https://a.test, is it?'],
      ['connect ECONNREFUSED 127.0.0.1:9', 'connect ECONNREFUSED 127.0.0.1:9'],
    ] as const) {
      expect(storableDetail(text)).toBe(expected);
    }
  });

  test('is not in the public record of a delivery, which has the fields of contract/delivery#delivery-record and no other', async () => {
    const [failed] = await world.sql<{ endpointId: string }[]>`
      select endpoint_id from webhook_deliveries where last_error_code = 'tls_error' limit 1`;
    const { items } = await listDeliveries(world.sql, failed?.endpointId ?? '', { limit: 1 });
    const [delivery] = items;
    if (delivery === undefined) throw new Error('no failed delivery');
    expect(Object.keys(delivery).sort()).toEqual([
      'attemptCount',
      'createdAt',
      'deliveredAt',
      'endpointId',
      'eventId',
      'eventType',
      'id',
      'lastErrorCode',
      'nextAttemptAt',
      'pauseReason',
      'pausedUntil',
      'responseStatus',
      'status',
      'updatedAt',
    ]);
  });
});
