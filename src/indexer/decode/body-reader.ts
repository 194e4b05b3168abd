import { encodeAddress } from '../../shared/address.ts';

/** Reads little-endian fields, one after another (Borsh). Throws RangeError past the end. */
export class BodyReader {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  address(): string {
    return encodeAddress(this.#take(32));
  }

  u8(): number {
    return this.#take(1).readUInt8(0);
  }

  u64(): bigint {
    return this.#take(8).readBigUInt64LE(0);
  }

  u128(): bigint {
    const low = this.u64();
    return (this.u64() << 64n) | low;
  }

  /** A string: its length in bytes as u32, then UTF-8. */
  text(): string {
    return this.#take(this.#take(4).readUInt32LE(0)).toString('utf8');
  }

  skip(byteCount: number): void {
    this.#take(byteCount);
  }

  #take(byteCount: number): Buffer {
    const bytes = this.#bytes.subarray(this.#at, this.#at + byteCount);
    if (bytes.byteLength < byteCount) throw new RangeError('the data is shorter than its layout');
    this.#at += byteCount;
    return bytes;
  }
}

/** The result of `read`, or null when the data does not have its layout, which is never fatal. */
export function readOrNull<Fields>(read: () => Fields): Fields | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
