import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { hashes, verify as nobleVerify } from '@noble/ed25519';
import { verifyStrict } from '../../src/chain/verify-signature.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate } from '../measurement/rounds.ts';
import { pick } from './pick.ts';
import { timedVariant } from './timed-variant.ts';

const WALLETS = 64;
const NOBLE = '@noble/ed25519';

hashes.sha512 = (message) => createHash('sha512').update(message).digest();

/** Strict verification beside the bare native call (the limit) and @noble/ed25519 (the pure JavaScript peer). */
export const verification: BenchCase = async ({ rounds, roundMs, peers = true }) => {
  const samples = Array.from({ length: WALLETS }, () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const message = randomBytes(300);
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    return {
      address: encodeBase58(raw),
      raw,
      message,
      signature: sign(null, message, privateKey),
      key: createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })),
    };
  });
  const variant = (name: string, check: (sample: (typeof samples)[number]) => boolean) =>
    timedVariant(name, roundMs, (index) => check(pick(samples, index)));

  const figures = await alternate(
    [
      variant('ours (strict)', ({ address, message, signature }) =>
        verifyStrict(address, message, signature),
      ),
      variant('native', ({ key, message, signature }) => verify(null, message, key, signature)),
      ...(peers
        ? [
            variant(NOBLE, ({ raw, message, signature }) =>
              nobleVerify(signature, message, raw, { zip215: false }),
            ),
          ]
        : []),
    ],
    rounds,
  );
  return {
    name: 'strict Ed25519 verification, 300-byte messages, 64 wallets',
    figures,
    ratios: {
      'time, ours / native': ratio(figures, 'ours (strict)', 'native', 'microsecondsPerCall'),
      ...(peers && { 'time, noble / ours': ratio(figures, NOBLE, 'ours (strict)', 'microsecondsPerCall') }),
    },
  };
};
