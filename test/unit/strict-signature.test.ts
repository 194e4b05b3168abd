import { describe, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';
import { Point } from '@noble/ed25519';
import bs58 from 'bs58';
import { isUsableWallet, verifyStrict } from '../../src/chain/signature.ts';

// Forgeries are built here from the equation S·B = R + k·A with k = SHA-512(R ‖ A ‖ M) mod L.
const L = Point.CURVE().n;
const message = Buffer.from('launch everything');

function numberFrom(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`);
}
function scalarBytes(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
}
function challenge(r: Uint8Array, a: Uint8Array, signed: Uint8Array): bigint {
  return numberFrom(createHash('sha512').update(r).update(a).update(signed).digest()) % L;
}
function accepts(publicKey: Uint8Array, signed: Uint8Array, signature: Uint8Array): boolean {
  return verifyStrict(bs58.encode(publicKey), publicKey, signed, signature);
}

const secretScalar = 0x1234567890abcdef1234567890abcdefn;
const publicPoint = Point.BASE.multiply(secretScalar);
const publicKey = publicPoint.toBytes();
const identity = Point.ZERO.toBytes();
const orderEight = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', true);

/** S for a nonce r, honest key: S = r + k·a. */
function signatureFor(r: Uint8Array, nonce: bigint, a: Uint8Array, signed: Uint8Array): Uint8Array {
  return Buffer.concat([r, scalarBytes((nonce + challenge(r, a, signed) * secretScalar) % L)]);
}

describe('a signature is accepted exactly when the chain accepts it', () => {
  test('an honest one', () => {
    const { privateKey, publicKey: key } = generateKeyPairSync('ed25519');
    const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
    const signature = sign(null, message, privateKey);
    expect(accepts(raw, message, signature)).toBe(true);
    expect(accepts(raw, Buffer.from('launch nothing'), signature)).toBe(false);
  });

  test('RFC 8032 section 7.1, tests 1 to 3', () => {
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
    ].map((row) => row.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex'))));
    for (const [key, signed, signature] of vectors) {
      if (key === undefined || signed === undefined || signature === undefined)
        throw new Error('incomplete vector');
      expect(accepts(key, signed, signature)).toBe(true);
    }
  });

  test('not under the identity key, for which native crypto accepts any message', () => {
    const forged = Buffer.concat([identity, scalarBytes(0n)]);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(identity).toString('base64url') };
    expect(verify(null, message, { key: jwk, format: 'jwk' }, forged)).toBe(true);
    expect(accepts(identity, message, forged)).toBe(false);
  });

  test('not under any small-order key in any encoding', () => {
    for (let multiple = 0n; multiple < 8n; multiple += 1n) {
      const point = multiple === 0n ? Point.ZERO : orderEight.multiply(multiple, false);
      expect(isUsableWallet(point.toBytes())).toBe(false);
    }
    const nonCanonicalIdentity = Uint8Array.from(Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex'));
    expect(isUsableWallet(nonCanonicalIdentity)).toBe(false);
    expect(accepts(nonCanonicalIdentity, message, Buffer.concat([identity, scalarBytes(0n)]))).toBe(false);
  });

  test('not with a small-order R, although the equation holds', () => {
    const signature = signatureFor(identity, 0n, publicKey, message);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
    expect(verify(null, message, { key: jwk, format: 'jwk' }, signature)).toBe(true);
    expect(accepts(publicKey, message, signature)).toBe(false);
  });

  test('not with a non-canonical R', () => {
    const r = Uint8Array.from(Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex'));
    expect(accepts(publicKey, message, signatureFor(r, 0n, publicKey, message))).toBe(false);
  });

  test('not with S + L in place of S', () => {
    const r = Point.BASE.multiply(77n).toBytes();
    const signature = signatureFor(r, 77n, publicKey, message);
    expect(accepts(publicKey, message, signature)).toBe(true);
    const s = numberFrom(signature.subarray(32));
    expect(accepts(publicKey, message, Buffer.concat([r, scalarBytes(s + L)]))).toBe(false);
  });

  test('a mixed-order key only when the cofactorless equation holds', () => {
    const mixedKey = publicPoint.add(orderEight).toBytes();
    const r = Point.BASE.multiply(99n).toBytes();
    let accepted = 0;
    let refused = 0;
    for (let index = 0; index < 64; index += 1) {
      const signed = Buffer.from(`message ${index}`);
      const holds = challenge(r, mixedKey, signed) % 8n === 0n;
      expect(accepts(mixedKey, signed, signatureFor(r, 99n, mixedKey, signed))).toBe(holds);
      if (holds) accepted += 1;
      else refused += 1;
    }
    expect(accepted).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  test('bytes of the wrong length are refused, offset views are read by their own bytes', () => {
    const r = Point.BASE.multiply(77n).toBytes();
    const signature = signatureFor(r, 77n, publicKey, message);
    expect(accepts(publicKey, message, signature.subarray(0, 63))).toBe(false);
    const padded = Buffer.concat([Buffer.alloc(5), signature, Buffer.alloc(3)]);
    expect(accepts(publicKey, message, padded.subarray(5, 69))).toBe(true);
  });
});
