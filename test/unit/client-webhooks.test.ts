import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  type HeadersLike,
  isEventOfType,
  remotePublicKeys,
  signWebhook,
  type VerifierOptions,
  WebhookVerificationError,
  webhookVerifier,
} from 'launchwire/webhooks';
import { Signer } from '../../relay/attempt/sign.ts';
import { publicSigningKey, WebhookSigningKeys } from '../../src/shared/webhooks/signing-keys.ts';

const NOW_SECONDS = 1_800_000_000;
const now = () => NOW_SECONDS * 1000;
const newSecret = () => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
const bytesOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64');
const secret = newSecret();
const [endpointId, otherId] = [crypto.randomUUID(), crypto.randomUUID()];
const secretKeys = { secretKey: crypto.getRandomValues(new Uint8Array(32)), secretKeyPrevious: [] };
/** Keys of a deployment whose shared key has ended, and of one where old receivers may still verify with it. */
const keys = new WebhookSigningKeys(secretKeys, new Date(0));
const overlapping = new WebhookSigningKeys(secretKeys, new Date('9999-01-01'));
const publicKeyOf = (key?: KeyObject) => (key === undefined ? '' : publicSigningKey(key).key);
const publicKey = publicKeyOf(keys.ofEndpoint(endpointId)[0]);
const strangersKey = () => publicKeyOf(generateKeyPairSync('ed25519').privateKey);
const body = JSON.stringify({
  specversion: '1.0',
  id: 'event-1',
  type: 'build.service.webhook.ping.v1',
  subject: 'grüße',
  data: { endpointId: 'endpoint-1' },
});

/** Headers as the relay makes them: `v1` of each secret, then `v1a`. */
function signed(secrets: readonly string[], timestampSeconds = NOW_SECONDS, signingKeys = keys) {
  const message = { id: 'event-1', endpointId, timestampSeconds, body: Buffer.from(body) };
  return new Signer(signingKeys).headers(message, secrets.map(bytesOf));
}

async function failure(
  options: VerifierOptions,
  sent: string | Uint8Array,
  headers: HeadersLike,
): Promise<string> {
  const error = await webhookVerifier({ now, ...options })
    .verify(sent, headers)
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof WebhookVerificationError)) throw error;
  return error.code;
}

describe('a verifier', () => {
  test('accepts what the relay signs, by secret or by public key, as text or bytes, in any shape of headers', async () => {
    const headers = signed([secret]);
    for (const options of [{ secrets: [secret] }, { publicKeys: [publicKey] }]) {
      for (const sent of [body, Buffer.from(body)]) {
        for (const shape of [headers, new Headers(headers)]) {
          const received = await webhookVerifier({ now, ...options }).verify(sent, shape);
          expect(received).toMatchObject({ id: 'event-1', event: { subject: 'grüße' } });
          expect(received.signedAt.getTime()).toBe(now());
          expect(isEventOfType(received.event, 'build.service.webhook.ping.v1')).toBe(true);
          expect(isEventOfType(received.event, 'build.service.launch.created.v1')).toBe(false);
        }
      }
    }
  });

  test('refuses a message for another endpoint, which the shared keys of a deployment cannot tell apart', async () => {
    const sharedKeys = overlapping.shared(now()).map(publicKeyOf);
    const forAnother = new Signer(overlapping).headers(
      { id: 'event-1', endpointId: otherId, timestampSeconds: NOW_SECONDS, body: Buffer.from(body) },
      [],
    );
    expect(await failure({ publicKeys: [publicKey] }, body, forAnother)).toBe('signature_invalid');
    const old = webhookVerifier({ now, publicKeys: sharedKeys });
    expect((await old.verify(body, forAnother)).id).toBe('event-1');
    // Both kinds of receivers accept their signature until the overlap ends.
    for (const publicKeys of [[publicKey], sharedKeys]) {
      const verifier = webhookVerifier({ now, publicKeys });
      expect((await verifier.verify(body, signed([], NOW_SECONDS, overlapping))).id).toBe('event-1');
    }
    expect(await failure({ publicKeys: sharedKeys }, body, signed([]))).toBe('signature_invalid');
  });

  test('allows the clock difference that it is given', async () => {
    for (const [toleranceSeconds, seconds, refusal] of [
      [600, -600, undefined],
      [600, -601, 'timestamp_too_old'],
      [0, 0, undefined],
      [0, 1, 'timestamp_too_new'],
    ] as const) {
      const verified = webhookVerifier({ now, secrets: [secret], toleranceSeconds })
        .verify(body, signed([secret], NOW_SECONDS + seconds))
        .then(
          () => undefined,
          ({ code }: WebhookVerificationError) => code,
        );
      expect(await verified).toBe(refusal);
    }
  });

  test('names what is missing or malformed', async () => {
    const headers = signed([secret]);
    const options = { secrets: [secret] };
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(await failure(options, body, { ...headers, [name]: undefined })).toBe('header_missing');
      expect(await failure(options, body, { ...headers, [name]: ['a', 'b'] })).toBe('header_malformed');
    }
    for (const timestamp of ['1e9', '-1', ' 1800000000', '1800000000.5', '9'.repeat(30)]) {
      expect(await failure(options, body, { ...headers, 'webhook-timestamp': timestamp })).toBe(
        'header_malformed',
      );
    }
    for (const sent of ['null', 'no json', '[]', '{"type":"t"}']) {
      const genuine = await signWebhook(secret, 'event-1', NOW_SECONDS, sent);
      expect(await failure(options, sent, genuine)).toBe('body_malformed');
    }
  });

  test('refuses whatever a stranger sends with its own error, also where nothing came or it was parsed', async () => {
    const genuine = signed([secret]);
    const missing = undefined as unknown as string;
    const parsed = JSON.parse(body) as string;
    const bodies = [
      missing,
      null,
      {},
      parsed,
      [],
      7,
      true,
      new ArrayBuffer(8),
      new DataView(new ArrayBuffer(8)),
    ];
    const options = { secrets: [secret], publicKeys: [publicKey] };
    for (const sent of bodies as string[]) {
      for (const headers of [genuine, {}])
        expect(await failure(options, sent, headers)).toBe('body_malformed');
    }
    for (const value of ['v1,é', '\u0000', '²', 'v1', ','])
      for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        expect(await failure(options, body, { ...genuine, [name]: value })).toMatch(/^(header|signature)_/);
  });

  test('reads names of headers in any case, unless two of them are the same', async () => {
    const headers = signed([secret]);
    const titled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.replace(/\b[a-z]/g, (first) => first.toUpperCase()),
        value,
      ]),
    );
    const verifier = webhookVerifier({ now, secrets: secret });
    expect(Object.keys(titled)).toContain('Webhook-Id');
    expect((await verifier.verify(body, titled)).id).toBe('event-1');
    expect(await failure({ secrets: secret }, body, { ...titled, ...headers })).toBe('header_malformed');
  });

  test('takes secrets and keys apart by white space, and adds none for what lies between', async () => {
    const forged = signed(['']);
    for (const text of [secret, ` ${secret}`, `${secret}\n`, `${newSecret()}  ${secret}\t`]) {
      for (const secrets of [text, [text], ['', text], () => text, async () => [text]]) {
        const verifier = webhookVerifier({ now, secrets });
        expect((await verifier.verify(body, signed([secret]))).id).toBe('event-1');
        expect(await failure({ secrets }, body, forged)).toBe('signature_invalid');
      }
    }
    for (const publicKeys of [` ${publicKey}\n`, [`${publicKey} ${strangersKey()}`]])
      expect((await webhookVerifier({ now, publicKeys }).verify(body, signed([]))).id).toBe('event-1');
  });

  test('refuses a malformed secret or key when it is made, without showing it, and to be made without any', async () => {
    for (const nothing of [
      {},
      { secrets: undefined },
      { secrets: '' },
      { secrets: [' ', ''] },
      { publicKeys: '\n' },
    ])
      expect(() => webhookVerifier(nothing)).toThrow('needs secrets or publicKeys');
    const long = `whsec_${Buffer.alloc(65).toString('base64')}`;
    const unset = undefined as unknown as string;
    const urlSafe = `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`;
    const malformed = [
      'whsec_',
      'whsec_short',
      secret.replace('whsec_', ''),
      'whsec_%%%',
      `${secret}=`,
      `"${secret}"`,
    ];
    for (const wrong of [...malformed, `v1,${secret}`, `${secret},${secret}`, urlSafe, long, unset]) {
      for (const secrets of [[wrong], [secret, wrong], `${secret} ${wrong}`]) {
        let error: unknown;
        try {
          webhookVerifier({ now, secrets, publicKeys: [publicKey] });
        } catch (thrown) {
          error = thrown;
        }
        expect(String(error)).toBe('TypeError: a webhook secret is whsec_ and the base64 of 24 to 64 bytes');
      }
    }
    for (const wrong of ['whpk_AAAA', publicKey.replace('whpk_', ''), secret])
      expect(() => webhookVerifier({ publicKeys: [wrong] })).toThrow('whpk_ and the base64 of 32 bytes');
    // A function is asked at each delivery, so its secrets cannot be known before.
    const late = webhookVerifier({ now, secrets: () => ['whsec_'] });
    expect(late.verify(body, signed([secret]))).rejects.toThrow('24 to 64 bytes');
  });
});

test('signWebhook refuses to sign with no secret, or with a malformed one', async () => {
  for (const wrong of ['', ' ', 'whsec_'])
    expect(signWebhook(wrong, 'event-1', NOW_SECONDS, body)).rejects.toThrow(TypeError);
});

test('without an endpoint the shared keys of the deployment are read, as receivers did before', async () => {
  const asked: string[] = [];
  const fetch = (async (url: string) => {
    asked.push(url);
    const list = overlapping.shared(now()).map((key) => ({ algorithm: 'ed25519', key: publicKeyOf(key) }));
    return Response.json({ keys: list });
  }) as unknown as typeof globalThis.fetch;
  const verifier = webhookVerifier({ now, publicKeys: remotePublicKeys('https://api.example', { fetch }) });
  expect((await verifier.verify(body, signed([], NOW_SECONDS, overlapping))).id).toBe('event-1');
  expect(asked).toEqual(['https://api.example/.well-known/webhook-public-keys']);
});

describe('keys that are read from the deployment', () => {
  function startSource() {
    const source = { keys: [publicKey] as unknown[], status: 200, requests: 0, nowMs: now() };
    const fetch = (async (url: string) => {
      source.requests += 1;
      expect(url).toBe(`https://api.example/.well-known/webhook-public-keys/${endpointId}`);
      const keys = source.keys.map((key) => ({ algorithm: 'ed25519', key }));
      return Response.json({ keys: [...keys, { algorithm: 'new', key: 'x' }] }, { status: source.status });
    }) as unknown as typeof globalThis.fetch;
    const publicKeys = remotePublicKeys('https://api.example/api/v2', {
      endpointId,
      fetch,
      now: () => source.nowMs,
    });
    const verifier = webhookVerifier({ publicKeys, now });
    const verify = () =>
      verifier.verify(body, signed([])).then(
        () => 'accepted',
        (error: Error) => ('code' in error ? String(error.code) : error.message),
      );
    return { source, verify };
  }

  test('are read once for many deliveries, and again after five minutes', async () => {
    const { source, verify } = startSource();
    expect(await Promise.all(Array.from({ length: 20 }, verify))).toEqual(new Array(20).fill('accepted'));
    source.nowMs += 299_000;
    expect(await verify()).toBe('accepted');
    expect(source.requests).toBe(1);
    source.nowMs += 1_000;
    expect(await verify()).toBe('accepted');
    expect(source.requests).toBe(2);
  });

  test('are read again for a signature of a new key, but not for every forgery', async () => {
    const { source, verify } = startSource();
    source.keys = [strangersKey()];
    for (let forgery = 0; forgery < 10; forgery += 1) expect(await verify()).toBe('signature_invalid');
    expect(source.requests).toBe(1);
    source.keys.unshift(publicKey);
    source.nowMs += 30_000;
    expect(await verify()).toBe('accepted');
    expect(source.requests).toBe(2);
  });

  test('stay good while the deployment does not respond, and without any the error says where they should be', async () => {
    const { source, verify } = startSource();
    source.status = 503;
    expect(await verify()).toBe(
      `https://api.example/.well-known/webhook-public-keys/${endpointId}: HTTP 503`,
    );
    expect(await verify()).toBe(
      `the keys at https://api.example/.well-known/webhook-public-keys/${endpointId} could not be read`,
    );
    expect(source.requests).toBe(1);
    source.status = 200;
    source.nowMs += 30_000;
    expect(await verify()).toBe('accepted');
    source.status = 500;
    source.nowMs += 400_000;
    expect(await verify()).toBe('accepted');
    expect(source.requests).toBe(3);
  });

  test('that cannot be read fail the caller that has given up, and not its process', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const fetch = (async () => {
      throw new Error('nobody answers');
    }) as unknown as typeof globalThis.fetch;
    const publicKeys = remotePublicKeys('https://api.example', { endpointId, fetch });
    const verified = webhookVerifier({ publicKeys, now }).verify(body, signed([]), {
      signal: AbortSignal.abort(new Error('given up')),
    });
    await expect(verified).rejects.toThrow('given up');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
