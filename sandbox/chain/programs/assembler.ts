import type { SyscallSite } from './elf.ts';

const INSTRUCTION_BYTES = 8;

/** A place in the code that jumps may name before it is known. */
export type Label = { at: number | null };

/** Registers: r1 to r5 are arguments and lost in calls, r6 to r9 survive them. */
export type Register = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Writes sBPF v0 code, one method an instruction. Jumps are patched when the code is finished. */
export class Assembler {
  readonly #code: Buffer[] = [];
  readonly #sites: SyscallSite[] = [];
  readonly #jumps: { at: number; label: Label }[] = [];
  #length = 0;

  label(): Label {
    return { at: null };
  }

  /** Places a label here. */
  place(label: Label): void {
    label.at = this.#length;
  }

  /** register = value, any 64 bits. */
  set(register: Register, value: bigint): void {
    const low = Number(BigInt.asIntN(32, value));
    const high = Number(BigInt.asIntN(32, value >> 32n));
    this.#emit(0x18, register, 0, 0, low);
    this.#emit(0, 0, 0, 0, high);
  }

  copy(to: Register, from: Register): void {
    this.#emit(0xbf, to, from, 0, 0);
  }

  addImmediate(register: Register, value: number): void {
    this.#emit(0x07, register, 0, 0, value);
  }

  add(to: Register, from: Register): void {
    this.#emit(0x0f, to, from, 0, 0);
  }

  andImmediate(register: Register, mask: number): void {
    this.#emit(0x57, register, 0, 0, mask);
  }

  multiplyImmediate(register: Register, value: number): void {
    this.#emit(0x27, register, 0, 0, value);
  }

  /** to = 64 bits at [from + offset]. */
  load(to: Register, from: Register, offset: number): void {
    this.#emit(0x79, to, from, offset, 0);
  }

  load32(to: Register, from: Register, offset: number): void {
    this.#emit(0x61, to, from, offset, 0);
  }

  loadByte(to: Register, from: Register, offset: number): void {
    this.#emit(0x71, to, from, offset, 0);
  }

  /** 64 bits at [to + offset] = from. */
  store(to: Register, offset: number, from: Register): void {
    this.#emit(0x7b, to, from, offset, 0);
  }

  storeByte(to: Register, offset: number, from: Register): void {
    this.#emit(0x73, to, from, offset, 0);
  }

  jump(label: Label): void {
    this.#jumpTo(0x05, 0, 0, 0, label);
  }

  jumpIfNotEqual(register: Register, value: number, label: Label): void {
    this.#jumpTo(0x55, register, 0, value, label);
  }

  jumpIfEqual(register: Register, value: number, label: Label): void {
    this.#jumpTo(0x15, register, 0, value, label);
  }

  syscall(name: string): void {
    this.#sites.push({ offset: this.#length, name });
    this.#emit(0x85, 0, 1, 0, -1);
  }

  exit(): void {
    this.#emit(0x95, 0, 0, 0, 0);
  }

  finish(): { text: Buffer; syscalls: readonly SyscallSite[] } {
    const text = Buffer.concat(this.#code);
    for (const { at, label } of this.#jumps) {
      if (label.at === null) throw new Error('a jump leads to a label that was never placed');
      text.writeInt16LE((label.at - at) / INSTRUCTION_BYTES - 1, at + 2);
    }
    return { text, syscalls: this.#sites };
  }

  #jumpTo(code: number, to: Register, from: Register, value: number, label: Label): void {
    this.#jumps.push({ at: this.#length, label });
    this.#emit(code, to, from, 0, value);
  }

  #emit(code: number, to: number, from: number, offset: number, value: number): void {
    const bytes = Buffer.alloc(INSTRUCTION_BYTES);
    bytes[0] = code;
    bytes[1] = (from << 4) | to;
    bytes.writeInt16LE(offset, 2);
    bytes.writeInt32LE(value | 0, 4);
    this.#code.push(bytes);
    this.#length += INSTRUCTION_BYTES;
  }
}
