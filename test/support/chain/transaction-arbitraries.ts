import fc from 'fast-check';

/** Everything a generated transaction consists of; `wireBytes` lays it out by the published formats. */
export interface TransactionFacts {
  version: 'legacy' | 0 | 1;
  signers: number;
  readonlySigned: number;
  readonlyUnsigned: number;
  keys: readonly Uint8Array[];
  blockhash: Uint8Array;
  instructions: readonly { program: number; accounts: readonly number[]; data: Uint8Array }[];
  /** Version 0 only. */
  lookups: readonly { table: Uint8Array; writable: readonly number[]; readonly: readonly number[] }[];
  /** Version 1 only; 0 leaves them out. */
  priorityFee: bigint;
  computeUnits: number;
  loadedDataBytes: number;
  heapBytes: number;
}

const LEGACY_BYTES_MAX = 1_232;
const V1_BYTES_MAX = 4_096;

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const index = fc.nat(255);
const lookup = fc
  .record({
    table: key,
    writable: fc.array(index, { maxLength: 4 }),
    readonly: fc.array(index, { maxLength: 4 }),
  })
  .filter(({ writable, readonly }) => writable.length + readonly.length > 0);

/** Transactions of all versions that the chain's format allows. */
export const transactions: fc.Arbitrary<TransactionFacts> = fc
  .record({
    version: fc.constantFrom('legacy' as const, 0 as const, 1 as const),
    signers: fc.integer({ min: 1, max: 5 }),
    readonlySigned: fc.nat(4),
    readonlyUnsigned: fc.nat(3),
    keys: fc.uniqueArray(key, {
      minLength: 8,
      maxLength: 14,
      comparator: (a, b) => Buffer.compare(a, b) === 0,
    }),
    blockhash: key,
    instructions: fc.array(
      fc.record({
        program: fc.integer({ min: 1, max: 7 }),
        accounts: fc.array(fc.nat(7), { maxLength: 8 }),
        data: fc.uint8Array({ maxLength: 200 }),
      }),
      { maxLength: 5 },
    ),
    lookups: fc.array(lookup, { maxLength: 3 }),
    priorityFee: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    computeUnits: fc.nat(2 ** 32 - 1),
    loadedDataBytes: fc.nat(2 ** 26),
    heapBytes: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 32, max: 256 }).map((kibibytes) => kibibytes * 1_024),
    ),
  })
  .map((facts) => ({
    ...facts,
    readonlySigned: Math.min(facts.readonlySigned, facts.signers - 1),
    lookups: facts.version === 0 ? facts.lookups : [],
  }))
  .filter((facts) => wireBytes(facts).byteLength <= (facts.version === 1 ? V1_BYTES_MAX : LEGACY_BYTES_MAX));

/** The unsigned wire bytes. */
export function wireBytes(facts: TransactionFacts): Uint8Array {
  const signatures = Buffer.alloc(64 * facts.signers);
  if (facts.version === 1) return Buffer.concat([versionOneMessage(facts), signatures]);
  return Buffer.concat([compact(facts.signers), signatures, message(facts)]);
}

function message({ version, keys, blockhash, instructions, lookups, ...header }: TransactionFacts): Buffer {
  return Buffer.concat([
    Uint8Array.of(...(version === 0 ? [0x80] : []), ...headerBytes(header)),
    compact(keys.length),
    ...keys,
    blockhash,
    compact(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(program),
      compact(accounts.length),
      Uint8Array.from(accounts),
      compact(data.byteLength),
      data,
    ]),
    ...(version === 0 ? [compact(lookups.length)] : []),
    ...lookups.flatMap(({ table, writable, readonly }) => [
      table,
      compact(writable.length),
      Uint8Array.from(writable),
      compact(readonly.length),
      Uint8Array.from(readonly),
    ]),
  ]);
}

function versionOneMessage({
  keys,
  blockhash,
  instructions,
  priorityFee,
  computeUnits,
  loadedDataBytes,
  heapBytes,
  ...header
}: TransactionFacts) {
  const sizes = [computeUnits, loadedDataBytes, heapBytes];
  const mask = sizes.reduce(
    (bits, size, at) => bits | (size > 0 ? 0b100 << at : 0),
    priorityFee > 0n ? 0b11 : 0,
  );
  const fee = Buffer.alloc(priorityFee > 0n ? 8 : 0);
  if (priorityFee > 0n) fee.writeBigUInt64LE(priorityFee);
  return Buffer.concat([
    Uint8Array.of(0x81, ...headerBytes(header), mask, 0, 0, 0),
    blockhash,
    Uint8Array.of(instructions.length, keys.length),
    ...keys,
    fee,
    ...sizes.filter((size) => size > 0).map((size) => new Uint8Array(Uint32Array.of(size).buffer)),
    ...instructions.map(({ program, accounts, data }) =>
      Uint8Array.of(program, accounts.length, data.byteLength & 0xff, data.byteLength >> 8),
    ),
    ...instructions.flatMap(({ accounts, data }) => [Uint8Array.from(accounts), data]),
  ]);
}

function headerBytes({
  signers,
  readonlySigned,
  readonlyUnsigned,
}: Pick<TransactionFacts, 'signers' | 'readonlySigned' | 'readonlyUnsigned'>): number[] {
  return [signers, readonlySigned, readonlyUnsigned];
}

/** compact-u16, minimal. */
function compact(value: number): Uint8Array {
  return value < 0x80 ? Uint8Array.of(value) : Uint8Array.of((value & 0x7f) | 0x80, value >> 7);
}
