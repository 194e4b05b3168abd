import { describe, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';
import { Point } from '@noble/ed25519';
import bs58 from 'bs58';
import { isUsableWallet, verifyStrict } from '../../src/chain/verify-signature.ts';
import {
  challenge,
  honestKey,
  honestR,
  identity,
  malleated,
  mixedOrderKey,
  nonCanonicalIdentity,
  orderEightKey,
  scalarBytes,
  signatureOfIdentity,
  signWithR,
} from '../support/chain/forged-signatures.ts';

const message = Buffer.from('launch everything');
const honestSignature = signWithR(honestR, honestKey, message);

function accepts(publicKey: Uint8Array, signed: Uint8Array, signature: Uint8Array): boolean {
  return verifyStrict(bs58.encode(publicKey), signed, signature);
}

/** The verdict of native crypto alone. */
function nativeAccepts(publicKey: Uint8Array, signed: Uint8Array, signature: Uint8Array): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  return verify(null, signed, { key: jwk, format: 'jwk' }, signature);
}

const FIELD_PRIME = 2n ** 255n - 19n;
const smallOrderYs = Array.from({ length: 8 }, (_, multiple) => {
  const point =
    multiple === 0 ? Point.ZERO : Point.fromBytes(orderEightKey).multiply(BigInt(multiple), false);
  return point.toAffine().y;
});
/** Every y that is refused, and those that differ from one in a single bit. */
const nearbyYs = [
  ...new Set([...smallOrderYs, ...Array.from({ length: 19 }, (_, over) => FIELD_PRIME + BigInt(over))]),
].flatMap((y) => [y, ...Array.from({ length: 255 }, (_, bit) => y ^ (1n << BigInt(bit)))]);

describe('a signature is accepted exactly when the chain accepts it', () => {
  test('an honest one', () => {
    const { privateKey, publicKey: key } = generateKeyPairSync('ed25519');
    const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
    const signature = sign(null, message, privateKey);
    expect(accepts(raw, message, signature)).toBe(true);
    expect(accepts(raw, Buffer.from('launch nothing'), signature)).toBe(false);
  });

  test('RFC 8032 section 7.1, tests 1 to 3 and SHA(abc)', () => {
    const vectors = [
      [
        'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
        '',
        'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
      ],
      [
        '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
        '72',
        '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      ],
      [
        'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
        'af82',
        '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
      ],
      [
        'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
        createHash('sha512').update('abc').digest('hex'),
        'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
      ],
    ].map((row) => row.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex'))));
    for (const [key, signed, signature] of vectors) {
      if (key === undefined || signed === undefined || signature === undefined)
        throw new Error('incomplete vector');
      expect(accepts(key, signed, signature)).toBe(true);
    }
  });

  test('not under the identity key, for which native crypto accepts any message', () => {
    const forged = Buffer.concat([identity, scalarBytes(0n)]);
    expect(nativeAccepts(identity, message, forged)).toBe(true);
    expect(accepts(identity, message, forged)).toBe(false);
    expect(nativeAccepts(identity, message, signatureOfIdentity)).toBe(true);
    expect(accepts(identity, message, signatureOfIdentity)).toBe(false);
  });

  test('not under any small-order key in any encoding', () => {
    const orderEight = Point.fromBytes(orderEightKey);
    for (let multiple = 0n; multiple < 8n; multiple += 1n) {
      const point = multiple === 0n ? Point.ZERO : orderEight.multiply(multiple, false);
      expect(isUsableWallet(point.toBytes())).toBe(false);
    }
    expect(isUsableWallet(nonCanonicalIdentity)).toBe(false);
    expect(accepts(nonCanonicalIdentity, message, Buffer.concat([identity, scalarBytes(0n)]))).toBe(false);
  });

  test('a key is usable unless its y is the one of a small-order point, or not below p', () => {
    // A y that is on no curve is left to the native verification.
    const isUsable = (y: bigint) => y < FIELD_PRIME && !smallOrderYs.includes(y);
    const misjudged = nearbyYs.filter((y) =>
      [0n, 1n << 255n].some((sign) => isUsableWallet(scalarBytes(y + sign)) !== isUsable(y)),
    );
    expect(misjudged).toEqual([]);
    expect(isUsableWallet(honestKey.subarray(0, 31))).toBe(false);
    expect(isUsableWallet(Buffer.concat([honestKey, Buffer.alloc(1)]))).toBe(false);
  });

  test('not under bytes that are no key', () => {
    expect(verifyStrict('', message, honestSignature)).toBe(false);
    expect(verifyStrict(bs58.encode(honestKey.subarray(1)), message, honestSignature)).toBe(false);
  });

  test('not with a small-order R, although the equation holds', () => {
    const signature = signWithR(identity, honestKey, message);
    expect(nativeAccepts(honestKey, message, signature)).toBe(true);
    expect(accepts(honestKey, message, signature)).toBe(false);
  });

  test('not with a non-canonical R', () => {
    expect(accepts(honestKey, message, signWithR(nonCanonicalIdentity, honestKey, message))).toBe(false);
  });

  test('not with S + L in place of S', () => {
    expect(accepts(honestKey, message, honestSignature)).toBe(true);
    expect(accepts(honestKey, message, malleated(honestSignature))).toBe(false);
  });

  test('a mixed-order key only when the cofactorless equation holds', () => {
    let accepted = 0;
    let refused = 0;
    for (let index = 0; index < 64; index += 1) {
      const signed = Buffer.from(`message ${index}`);
      const holds = challenge(honestR, mixedOrderKey, signed) % 8n === 0n;
      expect(accepts(mixedOrderKey, signed, signWithR(honestR, mixedOrderKey, signed))).toBe(holds);
      if (holds) accepted += 1;
      else refused += 1;
    }
    expect(accepted).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  test('bytes of the wrong length are refused, and a view into a buffer is read by its own bytes alone', () => {
    expect(accepts(honestKey, message, honestSignature.subarray(0, 63))).toBe(false);
    const padded = Buffer.concat([Buffer.alloc(5), honestSignature, Buffer.alloc(3)]);
    expect(accepts(honestKey, message, padded.subarray(5, 69))).toBe(true);
  });
});
