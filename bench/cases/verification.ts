import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { hashes, verify as nobleVerify } from '@noble/ed25519';
import bs58 from 'bs58';
import { verifyStrict } from '../../src/chain/signature.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { type BenchCase, ratio } from './case.ts';

const WALLETS = 64;
/** Noble is about 20 times slower: fewer calls keep its rounds as long as the others. */
const CALLS_PER_CHECK = 16;

hashes.sha512 = (message) => createHash('sha512').update(message).digest();

/** Strict verification beside the bare native call (the limit) and @noble/ed25519 (the pure JavaScript peer). */
export const verification: BenchCase = async ({ rounds, roundMs }) => {
  const samples = Array.from({ length: WALLETS }, () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const message = randomBytes(300);
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    return {
      address: bs58.encode(raw),
      raw,
      message,
      signature: sign(null, message, privateKey),
      key: createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })),
    };
  });
  type Sample = (typeof samples)[number];

  const variant = (name: string, check: (sample: Sample) => boolean): Variant => ({
    name,
    run: async () => {
      const startedAtMs = performance.now();
      let calls = 0;
      while (performance.now() - startedAtMs < roundMs) {
        for (let index = 0; index < CALLS_PER_CHECK; index += 1, calls += 1) {
          const sample = samples[calls % WALLETS];
          if (sample === undefined || !check(sample)) throw new Error(`${name} refused an honest signature`);
        }
      }
      return { microsecondsPerCall: ((performance.now() - startedAtMs) * 1000) / calls };
    },
  });

  const figures = await alternate(
    [
      variant('ours (strict)', ({ address, raw, message, signature }) =>
        verifyStrict(address, raw, message, signature),
      ),
      variant('native', ({ key, message, signature }) => verify(null, message, key, signature)),
      variant('@noble/ed25519', ({ raw, message, signature }) =>
        nobleVerify(signature, message, raw, { zip215: false }),
      ),
    ],
    rounds,
  );
  return {
    name: 'strict Ed25519 verification, 300-byte messages, 64 wallets',
    figures,
    ratios: {
      'time, ours / native': ratio(figures, 'ours (strict)', 'native', 'microsecondsPerCall'),
      'time, noble / ours': ratio(figures, '@noble/ed25519', 'ours (strict)', 'microsecondsPerCall'),
    },
  };
};
