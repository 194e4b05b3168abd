import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';

// Built from the equation S·B = R + k·A with k = SHA-512(R ‖ A ‖ M) mod L.
export const GROUP_ORDER = Point.CURVE().n;
const SECRET_SCALAR = 0x1234567890abcdef1234567890abcdefn;
const NONCE = 99n;

const publicPoint = Point.BASE.multiply(SECRET_SCALAR);
const orderEight = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', true);

export const identity = Point.ZERO.toBytes();
export const nonCanonicalIdentity = Uint8Array.from(Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex'));
export const honestKey = publicPoint.toBytes();
/** The honest key plus a point of order eight. Without the cofactor its signatures are valid for one message
 * in eight. */
export const mixedOrderKey = publicPoint.add(orderEight).toBytes();
export const orderEightKey = orderEight.toBytes();
export const honestR = Point.BASE.multiply(NONCE).toBytes();

function numberFrom(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`);
}

export function scalarBytes(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
}

export function challenge(r: Uint8Array, a: Uint8Array, message: Uint8Array): bigint {
  return numberFrom(createHash('sha512').update(r).update(a).update(message).digest()) % GROUP_ORDER;
}

/** R and the S that fits the nonce of `honestR`, or a nonce of zero for any other R, for the secret of the honest key. */
export function signWithR(r: Uint8Array, a: Uint8Array, message: Uint8Array): Uint8Array {
  const nonce = Buffer.compare(r, honestR) === 0 ? NONCE : 0n;
  const s = (nonce + challenge(r, a, message) * SECRET_SCALAR) % GROUP_ORDER;
  return Buffer.concat([r, scalarBytes(s)]);
}

/** This signature is valid for any message under the identity key, because S·B = R for any k. */
export const signatureOfIdentity = Buffer.concat([honestR, scalarBytes(NONCE)]);

/** The same signature with S + L in place of S. */
export function malleated(signature: Uint8Array): Uint8Array {
  const s = numberFrom(signature.subarray(32)) + GROUP_ORDER;
  return Buffer.concat([signature.subarray(0, 32), scalarBytes(s)]);
}
