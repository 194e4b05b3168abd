import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import { getPublicKey, hashes, sign, verify } from '@noble/ed25519';
import { CloudEvent, HTTP } from 'cloudevents';
import fc from 'fast-check';
import { signWebhook, WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';
import {
  isPlainTimestamp,
  libraryRefusals,
  type SignedMessage,
  type SignMessage,
  signedMessages,
  signWith,
} from '../support/webhooks/signed-messages.ts';

hashes.sha512 = (bytes) => new Uint8Array(new Bun.CryptoHasher('sha512').update(bytes).digest());

/** Within a second, because the libraries count whole ones. */
const NOW_MS = 1_800_000_000_700;
const nowSeconds = () => Math.floor(NOW_MS / 1000);
const ages = [0, 0, 0, 1, 299, 300, 301, 4_000, -1, -300, -301, -4_000];
const newSecret = () => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
const [young, old, foreign] = [newSecret(), newSecret(), newSecret()];
const secrets = [young, old];

beforeAll(() => void setSystemTime(NOW_MS));
afterAll(() => void setSystemTime());

/** Undefined for a genuine message, otherwise the code of our refusal. */
async function ourRefusal(
  verifier: ReturnType<typeof webhookVerifier>,
  { headers, body }: SignedMessage,
): Promise<string | undefined> {
  return verifier.verify(body, headers).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof WebhookVerificationError) return error.code;
      throw error;
    },
  );
}

const codeOf: Readonly<Record<string, string>> = {
  'No matching signature found': 'signature_invalid',
  'Message timestamp too old': 'timestamp_too_old',
  'Message timestamp too new': 'timestamp_too_new',
  'Invalid Signature Headers': 'header_malformed',
};

describe('a message of anybody', () => {
  test('is accepted, or refused for the same reason, as by standardwebhooks and svix', async () => {
    const verifier = webhookVerifier({ secrets });
    const signers = [young, old, foreign].map(signWith);
    const messages = signedMessages({ signers, ages, isForHttp: false }, nowSeconds);
    const seen = new Set<string | undefined>();
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        const [refusal, ofSvix] = libraryRefusals(message, secrets);
        expect(ofSvix).toBe(refusal);
        const ours = await ourRefusal(verifier, message);
        seen.add(ours);
        if (refusal === 'Missing required headers') expect(ours).toBeString();
        // Stricter than the libraries: Unix seconds have one form (contract/webhooks#signatures).
        else if (!isPlainTimestamp(message.headers['webhook-timestamp'])) expect(ours).toBeString();
        else expect(ours).toBe(refusal === undefined ? undefined : (codeOf[refusal] ?? refusal));
      }),
      { numRuns: 1_000 },
    );
    expect([...seen].sort()).toEqual([
      'header_malformed',
      'header_missing',
      'signature_invalid',
      'timestamp_too_new',
      'timestamp_too_old',
      undefined,
    ]);
  });

  test('with more than sixteen signatures is judged by the first of them', async () => {
    // The libraries read them all, and each costs the receiver work; the service sends a few.
    const body = '{"type":"t","data":{}}';
    const headers = await signWebhook(young, 'id', nowSeconds(), body);
    for (const [others, refusal] of [
      [15, undefined],
      [16, 'signature_invalid'],
    ] as const) {
      const signatures = `${'v1,AAAA '.repeat(others)}${headers['webhook-signature']}`;
      const message = { headers: { ...headers, 'webhook-signature': signatures }, body };
      expect(libraryRefusals(message, secrets)).toEqual([undefined, undefined]);
      expect(await ourRefusal(webhookVerifier({ secrets }), message)).toBe(refusal);
    }
  });

  test('is accepted by a public key as @noble/ed25519 judges its signatures', async () => {
    const keys = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
    const [own] = keys.map((key) => getPublicKey(key));
    const publicKeys = `whpk_${Buffer.from(own ?? []).toString('base64')}`;
    const signers = keys.map((key): SignMessage => {
      return (id, seconds, body) => {
        const signature = sign(Buffer.from(`${id}.${seconds}.${body}`), key);
        return `v1a,${Buffer.from(signature).toString('base64')}`;
      };
    });
    const verifier = webhookVerifier({ publicKeys });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        signedMessages({ signers, ages: [0], isForHttp: false }, nowSeconds),
        async (message) => {
          const {
            'webhook-id': id,
            'webhook-timestamp': timestamp,
            'webhook-signature': given,
          } = message.headers;
          const content = Buffer.from(`${id}.${timestamp}.${message.body}`);
          const isGenuine = given.split(' ').some((part) => {
            const [version, text = ''] = part.split(',');
            const bytes = Buffer.from(text, 'base64');
            const isSignature = version === 'v1a' && bytes.length === 64 && bytes.toString('base64') === text;
            return isSignature && verify(bytes, content, own ?? new Uint8Array(), { zip215: false });
          });
          const isTimely = isPlainTimestamp(timestamp) && Number(timestamp) === nowSeconds();
          const ours = await ourRefusal(verifier, message);
          expect(ours === undefined).toBe(isGenuine && isTimely && id !== '');
          if (ours === undefined) accepted += 1;
        },
      ),
      { numRuns: 100 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  test('signed by signWebhook is accepted by both libraries', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1 });
    await fc.assert(
      fc.asyncProperty(text, text, fc.constantFrom(...ages), async (id, body, age) => {
        const headers = await signWebhook(young, id, nowSeconds() - age, body);
        const isTimely = Math.abs(age) <= 300;
        for (const refusal of libraryRefusals({ headers, body }, secrets))
          expect(refusal === undefined).toBe(isTimely);
      }),
    );
  });
});

describe('an event that the CloudEvents SDK sends', () => {
  const event = fc.record({
    type: fc.constantFrom('build.service.webhook.ping.v1', 'x'),
    source: fc.constantFrom('https://api.example/api/v2', '/relative'),
    subject: fc.string({ unit: 'binary', minLength: 1 }),
    data: fc.record({ text: fc.string({ unit: 'binary' }), none: fc.constant(null) }),
  });

  test('in the structured mode is read as it was; in the others it is no event', async () => {
    const verifier = webhookVerifier({ secrets });
    await fc.assert(
      fc.asyncProperty(event, async (facts) => {
        const sent = new CloudEvent({ ...facts, datacontenttype: 'application/json' });
        const { body } = HTTP.structured(sent);
        const headers = await signWebhook(young, sent.id, nowSeconds(), String(body));
        const received = await verifier.verify(String(body), headers);
        expect(received.event as unknown).toEqual(JSON.parse(JSON.stringify(sent)));
        const binary = String(HTTP.binary(sent).body);
        for (const other of [binary, `[${body}]`]) {
          const signature = await signWebhook(young, sent.id, nowSeconds(), other);
          expect(await ourRefusal(verifier, { headers: signature, body: other })).toBe('body_malformed');
        }
      }),
    );
  });
});
