import { addressBytes } from '../../shared/address.ts';

/** Writes the parts of a transaction one after the other. Throws RangeError beyond the size that was given. */
export class WireWriter {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(byteLength: number) {
    this.#bytes = Buffer.alloc(byteLength);
  }

  u8(value: number): void {
    this.#at = this.#bytes.writeUInt8(value, this.#at);
  }

  u16(value: number): void {
    this.#at = this.#bytes.writeUInt16LE(value, this.#at);
  }

  u32(value: number): void {
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  u64(value: bigint): void {
    this.#at = this.#bytes.writeBigUInt64LE(value, this.#at);
  }

  /** A length in one to three bytes of seven bits each. */
  compactU16(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.u8((rest & 0x7f) | 0x80);
    this.u8(rest);
  }

  bytes(value: Uint8Array): void {
    this.#bytes.set(value, this.#at);
    this.#at += value.byteLength;
  }

  /** The 32 bytes of an address or a blockhash. */
  address(text: string): void {
    this.bytes(addressBytes(text));
  }

  /** Leaves bytes as zeros. */
  skip(byteCount: number): void {
    this.#at += byteCount;
  }

  /** Throws unless everything was written. */
  end(): Uint8Array {
    const { byteLength } = this.#bytes;
    if (this.#at !== byteLength)
      throw new Error(`${this.#at} bytes were written, and ${byteLength} announced`);
    return new Uint8Array(this.#bytes);
  }
}

/** The size of a length that `compactU16` writes. */
export function compactBytes(value: number): number {
  if (value > 0xffff) throw new RangeError(`${value} is more than a length can say`);
  if (value < 0x80) return 1;
  return value < 0x4000 ? 2 : 3;
}
