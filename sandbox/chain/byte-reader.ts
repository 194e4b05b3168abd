/** Thrown when bytes are not exactly one well-formed value. Methods that read bytes of a client catch it. */
export class MalformedBytes extends Error {}

/** A bounds-checked cursor over bytes: reads little-endian integers and Solana's compact-u16. */
export class ByteReader {
  readonly bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  u8(): number {
    const byte = this.bytes[this.offset];
    if (byte === undefined) throw new MalformedBytes('unexpected end of bytes');
    this.offset += 1;
    return byte;
  }

  u16(): number {
    return this.u8() | (this.u8() << 8);
  }

  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0;
  }

  u64(): bigint {
    return BigInt(this.u32()) | (BigInt(this.u32()) << 32n);
  }

  take(length: number): Uint8Array {
    if (this.remaining < length) throw new MalformedBytes('unexpected end of bytes');
    this.offset += length;
    return this.bytes.subarray(this.offset - length, this.offset);
  }

  /** compact-u16; aliases (a zero last byte after the first) and values above u16 are rejected as on chain. */
  compactU16(): number {
    let value = 0;
    for (let position = 0; position < 3; position += 1) {
      const byte = this.u8();
      if (byte === 0 && position > 0) throw new MalformedBytes('non-minimal length');
      value |= (byte & 0x7f) << (7 * position);
      if ((byte & 0x80) === 0) {
        if (value > 0xffff) break;
        return value;
      }
    }
    throw new MalformedBytes('length above u16');
  }
}
