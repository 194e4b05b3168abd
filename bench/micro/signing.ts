import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { Signer } from '../../relay/attempt/sign.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate } from '../measurement/rounds.ts';
import { pick } from './pick.ts';
import { timedVariant } from './timed-variant.ts';

const BODIES = 64;
const BODY_BYTES = 1_000;

/** The headers of one webhook attempt (HMAC-SHA256 and Ed25519) beside the two native calls alone. */
export const signing: BenchCase = async ({ rounds, roundMs }) => {
  const key = randomBytes(32);
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = new Signer({ ofEndpoint: () => [privateKey], shared: () => [] });
  const bodies = Array.from({ length: BODIES }, () => randomBytes(BODY_BYTES));
  const id = Bun.randomUUIDv7();
  const both = (body: Uint8Array) =>
    createHmac('sha256', key).update(body).digest().byteLength + sign(null, body, privateKey).byteLength;
  const figures = await alternate(
    [
      timedVariant('ours: signature headers', roundMs, (index) => {
        const message = { id, endpointId: id, timestampSeconds: index, body: pick(bodies, index) };
        return signer.headers(message, [key])['webhook-signature'].startsWith('v1,');
      }),
      timedVariant('native: HMAC and Ed25519', roundMs, (index) => both(pick(bodies, index)) === 32 + 64),
      timedVariant(
        'native: HMAC alone',
        roundMs,
        (index) => createHmac('sha256', key).update(pick(bodies, index)).digest().byteLength === 32,
      ),
    ],
    rounds,
  );
  return {
    name: `webhook signatures over ${BODY_BYTES} bytes`,
    figures,
    ratios: {
      'time, ours / native': ratio(
        figures,
        'ours: signature headers',
        'native: HMAC and Ed25519',
        'microsecondsPerCall',
      ),
    },
  };
};
