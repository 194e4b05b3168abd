import bs58 from 'bs58';
import { Assembler, type Label, type Register } from './assembler.ts';
import type { ComputedInstruction, Effect, SignerSeeds, StateCondition } from './effects.ts';
import { align, elfImage, readOnlyOffset, words } from './elf.ts';

const READ_ONLY = 0x100000000n;
const HEAP = 0x300000000n;
const INPUT = 0x400000000n;

/** `SolAccountInfo`: key*, lamports*, data length, data*, owner*, rent epoch, signer, writable, executable. */
const INFO_BYTES = 56;
const INFOS_MAX = 255;
/** On the heap: infos, then where instruction data lies, then the result of a comparison. */
const INFOS_AT = HEAP;
const DATA_AT = HEAP + BigInt(INFO_BYTES * INFOS_MAX);
const RESULT_AT = DATA_AT + 8n;

/**
 * Serialised account: marker, flags, padding, then key, owner, lamports, data length, data, room to grow, rent epoch.
 */
const KEY = 8;
const OWNER = 40;
const LAMPORTS = 72;
const DATA_LENGTH = 80;
const DATA = 88;
const SPARE_BYTES = 10_240;

/** Anchor's tag of an event that a program sends to itself. */
export const EVENT_TAG = Uint8Array.from([0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d]);
/** The call was not computed before: another program made it, or an unknown change came before it. */
export const UNFORESEEN_ERROR = 0xffff;
const UNFORESEEN = 'the sandbox computes calls by the transaction and by computed programs only';

/** Data that the code points at; addresses are known once the length of the code is. */
class ReadOnlyData {
  readonly #parts: Buffer[] = [];
  readonly #known = new Map<string, bigint>();
  #length = 0;
  readonly #base: bigint;

  constructor(base: bigint) {
    this.#base = base;
  }

  /** @returns the address of the bytes; equal bytes are kept once */
  put(bytes: Uint8Array): bigint {
    const part = Buffer.from(bytes);
    const name = part.toString('latin1');
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const address = this.#base + BigInt(this.#length);
    const padded = Buffer.concat([part, Buffer.alloc(align(part.length) - part.length)]);
    this.#parts.push(padded);
    this.#length += padded.length;
    this.#known.set(name, address);
    return address;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/**
 * The program image that carries out computed instructions. It finds the instruction by data, accounts and state, and
 * carries out its effects. It accepts events of the program to itself. Takes 0.1 ms to build.
 */
export function programImage(instructions: readonly ComputedInstruction[]): Buffer {
  // The first pass only measures: the length of the code does not depend on addresses.
  const { text } = assemble(instructions, new ReadOnlyData(0n));
  const readOnly = new ReadOnlyData(READ_ONLY + BigInt(readOnlyOffset(text.length)));
  const code = assemble(instructions, readOnly);
  return elfImage(code.text, readOnly.bytes(), code.syscalls);
}

function assemble(instructions: readonly ComputedInstruction[], readOnly: ReadOnlyData) {
  const code = new Assembler();
  readInput(code);
  acceptEvents(code, readOnly);
  for (const instruction of instructions) {
    const next = code.label();
    requireData(code, readOnly, instruction.data, next);
    requireAccounts(code, readOnly, instruction.accounts, next);
    for (const condition of instruction.state) requireState(code, readOnly, condition, next);
    for (const effect of instruction.effects) carryOut(code, readOnly, instruction.accounts.length, effect);
    succeed(code);
    code.place(next);
  }
  log(code, readOnly, UNFORESEEN);
  code.set(0, BigInt(UNFORESEEN_ERROR));
  code.exit();
  return code.finish();
}

/** Walks the serialised accounts and writes an info for each to the heap; notes where the instruction data begins. */
function readInput(code: Assembler): void {
  const [loop, duplicate, next, done] = [code.label(), code.label(), code.label(), code.label()];
  code.load(9, 1, 0); // accounts left
  code.copy(6, 1);
  code.addImmediate(6, 8); // the account at hand
  code.set(7, INFOS_AT); // its info
  code.place(loop);
  code.jumpIfEqual(9, 0, done);
  code.loadByte(2, 6, 0);
  code.jumpIfNotEqual(2, 0xff, duplicate);
  const pointers: readonly (readonly [number, number])[] = [
    [0, KEY],
    [8, LAMPORTS],
    [24, DATA],
    [32, OWNER],
  ];
  for (const [field, offset] of pointers) {
    code.copy(2, 6);
    code.addImmediate(2, offset);
    code.store(7, field, 2);
  }
  code.load(3, 6, DATA_LENGTH);
  code.store(7, 16, 3);
  [1, 2, 3].forEach((flag, index) => {
    code.loadByte(2, 6, flag);
    code.storeByte(7, 48 + index, 2);
  });
  // The account ends after its data, the spare room, padding and the rent epoch.
  code.addImmediate(3, DATA + SPARE_BYTES + 7);
  code.andImmediate(3, -8);
  code.add(6, 3);
  code.load(2, 6, 0);
  code.store(7, 40, 2);
  code.addImmediate(6, 8);
  code.jump(next);
  code.place(duplicate);
  code.multiplyImmediate(2, INFO_BYTES);
  code.set(3, INFOS_AT);
  code.add(3, 2);
  for (let field = 0; field < INFO_BYTES; field += 8) {
    code.load(2, 3, field);
    code.store(7, field, 2);
  }
  code.addImmediate(6, 8);
  code.place(next);
  code.addImmediate(7, INFO_BYTES);
  code.addImmediate(9, -1);
  code.jump(loop);
  code.place(done);
  code.set(2, DATA_AT);
  code.store(2, 0, 6);
}

function acceptEvents(code: Assembler, readOnly: ReadOnlyData): void {
  const other = code.label();
  compare(
    code,
    EVENT_TAG.length,
    (register) => {
      code.copy(register, 6);
      code.addImmediate(register, 8);
    },
    readOnly.put(EVENT_TAG),
    other,
  );
  succeed(code);
  code.place(other);
}

function requireData(code: Assembler, readOnly: ReadOnlyData, data: Uint8Array, otherwise: Label): void {
  code.set(2, DATA_AT);
  code.load(6, 2, 0);
  code.load(2, 6, 0);
  code.jumpIfNotEqual(2, data.length, otherwise);
  compare(
    code,
    data.length,
    (register) => {
      code.copy(register, 6);
      code.addImmediate(register, 8);
    },
    readOnly.put(data),
    otherwise,
  );
}

function requireAccounts(
  code: Assembler,
  readOnly: ReadOnlyData,
  accounts: readonly string[],
  otherwise: Label,
): void {
  code.set(2, INPUT);
  code.load(2, 2, 0);
  code.jumpIfNotEqual(2, accounts.length, otherwise);
  accounts.forEach((address, index) => {
    const loadKey = (register: Register) => loadField(code, register, index, 0);
    compare(code, 32, loadKey, readOnly.put(bs58.decode(address)), otherwise);
  });
}

function requireState(
  code: Assembler,
  readOnly: ReadOnlyData,
  { account, dataBytes, offset, bytes }: StateCondition,
  otherwise: Label,
): void {
  loadField(code, 2, account, 16);
  code.jumpIfNotEqual(2, dataBytes, otherwise);
  const loadData = (register: Register) => {
    loadField(code, register, account, 24);
    code.addImmediate(register, offset);
  };
  compare(code, bytes.length, loadData, readOnly.put(bytes), otherwise);
}

/** Jumps to a label unless the bytes at a place equal those at an address. */
function compare(
  code: Assembler,
  length: number,
  loadPlace: (register: Register) => void,
  address: bigint,
  otherwise: Label,
): void {
  loadPlace(1);
  code.set(2, address);
  code.set(3, BigInt(length));
  code.set(4, RESULT_AT);
  code.syscall('sol_memcmp_');
  code.set(2, RESULT_AT);
  code.load32(2, 2, 0);
  code.jumpIfNotEqual(2, 0, otherwise);
}

/** register = a field of the info of an account of the instruction. */
function loadField(code: Assembler, register: Register, account: number, field: number): void {
  code.set(register, INFOS_AT + BigInt(account * INFO_BYTES));
  code.load(register, register, field);
}

function carryOut(code: Assembler, readOnly: ReadOnlyData, accountCount: number, effect: Effect): void {
  switch (effect.kind) {
    case 'invoke':
      code.set(1, putInstruction(readOnly, effect.instruction));
      code.set(2, INFOS_AT);
      code.set(3, BigInt(accountCount));
      code.set(4, putSigners(readOnly, effect.signers));
      code.set(5, BigInt(effect.signers.length));
      code.syscall('sol_invoke_signed_c');
      break;
    case 'write':
      loadField(code, 1, effect.account, 24);
      code.addImmediate(1, effect.offset);
      code.set(2, readOnly.put(effect.bytes));
      code.set(3, BigInt(effect.bytes.length));
      code.syscall('sol_memcpy_');
      break;
    case 'log':
      log(code, readOnly, effect.message);
      break;
    case 'fail':
      code.set(0, BigInt(effect.error));
      code.exit();
      break;
    case 'abort':
      code.syscall('abort');
      break;
  }
}

/** `SolInstruction`: program*, metas*, count, data*, length. A meta: key*, writable, signer, padding. */
function putInstruction(
  readOnly: ReadOnlyData,
  { program, accounts, data }: Extract<Effect, { kind: 'invoke' }>['instruction'],
): bigint {
  const metas = accounts.map(({ address, signer, writable }) =>
    Buffer.concat([
      words([readOnly.put(bs58.decode(address))]),
      Buffer.from([writable ? 1 : 0, signer ? 1 : 0, 0, 0, 0, 0, 0, 0]),
    ]),
  );
  return readOnly.put(
    words([
      readOnly.put(bs58.decode(program)),
      readOnly.put(Buffer.concat(metas)),
      BigInt(accounts.length),
      readOnly.put(data),
      BigInt(data.length),
    ]),
  );
}

function putSigners(readOnly: ReadOnlyData, signers: readonly SignerSeeds[]): bigint {
  return putSlices(
    readOnly,
    signers.map((seeds) => ({
      address: putSlices(
        readOnly,
        seeds.map((seed) => ({ address: readOnly.put(seed), length: seed.length })),
      ),
      length: seeds.length,
    })),
  );
}

function putSlices(readOnly: ReadOnlyData, slices: readonly { address: bigint; length: number }[]): bigint {
  return readOnly.put(words(slices.flatMap(({ address, length }) => [address, BigInt(length)])));
}

function log(code: Assembler, readOnly: ReadOnlyData, message: string): void {
  const bytes = Buffer.from(message);
  code.set(1, readOnly.put(bytes));
  code.set(2, BigInt(bytes.length));
  code.syscall('sol_log_');
}

function succeed(code: Assembler): void {
  code.set(0, 0n);
  code.exit();
}
