import bs58 from 'bs58';
import { writeWide } from '../../../../src/chain/accounts/account-layout.ts';
import { encodeBase58 } from '../../../../src/shared/base58.ts';
import { ByteReader, MalformedBytes } from '../../byte-reader.ts';

/** Reads instruction arguments as Borsh encodes them. */
export class ArgumentReader extends ByteReader {
  u128(): bigint {
    const low = this.u64();
    return low | (this.u64() << 64n);
  }

  bool(): boolean {
    const byte = this.u8();
    if (byte > 1) throw new MalformedBytes('not a bool');
    return byte === 1;
  }

  address(): string {
    return encodeBase58(this.take(32));
  }

  string(): string {
    const bytes = this.take(this.u32());
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new MalformedBytes('not UTF-8');
    }
  }

  option<Value>(read: () => Value): Value | null {
    return this.bool() ? read() : null;
  }

  list<Value>(read: () => Value): Value[] {
    return Array.from({ length: this.u32() }, read);
  }
}

/** Puts values one after the other as Borsh encodes them. */
export class BorshWriter {
  readonly #parts: Uint8Array[] = [];

  u8(...values: readonly number[]): this {
    return this.bytes(Uint8Array.from(values));
  }

  u16(value: number): this {
    return this.bytes(Uint8Array.of(value & 0xff, value >> 8));
  }

  u32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return this.bytes(bytes);
  }

  u64(...values: readonly bigint[]): this {
    for (const value of values) this.#wide(value, 8);
    return this;
  }

  u128(...values: readonly bigint[]): this {
    for (const value of values) this.#wide(value, 16);
    return this;
  }

  bool(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }

  address(...addresses: readonly string[]): this {
    for (const address of addresses) this.bytes(bs58.decode(address));
    return this;
  }

  string(text: string): this {
    const bytes = Buffer.from(text);
    return this.u32(bytes.length).bytes(bytes);
  }

  bytes(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  #wide(value: bigint, byteCount: number): void {
    const bytes = Buffer.alloc(byteCount);
    writeWide(bytes, 0, value, byteCount);
    this.bytes(bytes);
  }
}
