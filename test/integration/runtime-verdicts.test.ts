import { beforeAll, describe, expect, test } from 'bun:test';
import { createPrivateKey, sign } from 'node:crypto';
import { Keypair, PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { MalformedBytes } from '../../sandbox/chain/byte-reader.ts';
import { VirtualMachine } from '../../sandbox/chain/vm.ts';
import { parseTransaction, type WireTransaction } from '../../sandbox/chain/wire-transaction.ts';
import { ADDRESS_LOOKUP_TABLE } from '../../src/chain/accounts/programs.ts';
import { readTransaction, refusedHeapBytes } from '../../src/chain/transaction-reader.ts';
import { compareWithPrepared, isSignedBy } from '../../src/chain/transactions/compare-submission.ts';
import {
  challenge,
  honestKey,
  honestR,
  identity,
  malleated,
  mixedOrderKey,
  nonCanonicalIdentity,
  orderEightKey,
  scalarBytes,
  signWithR,
} from '../support/chain/forged-signatures.ts';
import {
  lookupTableData,
  unsignedTransfer,
  versionOneTransfer,
} from '../support/intents/intent-transactions.ts';

const seeded = (seed: number) => Keypair.fromSeed(Buffer.alloc(32, seed));
const TABLE = seeded(6).publicKey.toBase58();
const LOOKUP = { table: TABLE, index: 1 };

let runtime: RuntimeVerdicts;
beforeAll(() => {
  runtime = createRuntime();
  runtime.storeLookupTable(
    TABLE,
    [1, 2].map((seed) => seeded(seed).publicKey.toBase58()),
  );
});

/** Our verdict on a submission whose prepared form is the same with an empty first slot, for this wallet. */
function accepts(bytes: Uint8Array, wallet: string): boolean {
  const view = readTransaction(bytes);
  if (view === null) return false;
  // Preparation refuses a wallet that does not own the slot.
  const payer = bytes.subarray(view.keysOffset, view.keysOffset + 32);
  if (Buffer.compare(payer, new PublicKey(wallet).toBytes()) !== 0) return false;
  const prepared = Uint8Array.from(bytes);
  prepared.fill(0, view.signaturesOffset, view.signaturesOffset + 64);
  const comparison = compareWithPrepared(bytes, {
    bytes: prepared,
    signatureOffset: view.signaturesOffset,
    expectedSigner: wallet,
  });
  return comparison.outcome === 'same' && isSignedBy(comparison.signed, view.signaturesOffset, wallet);
}

function messageOf(bytes: Uint8Array): Uint8Array {
  const view = readTransaction(bytes);
  if (view === null) throw new Error('not read');
  return bytes.subarray(view.messageOffset, view.messageOffset + view.messageLength);
}

/** The transaction with these 64 bytes as its only signature. */
function withSignature(unsigned: Uint8Array, signature: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(unsigned);
  bytes.set(signature, readTransaction(unsigned)?.signaturesOffset ?? 0);
  return bytes;
}

type Forge = (message: Uint8Array) => Uint8Array;

/** A transfer of the key with a forged signature: what the runtime says of the bytes, and what we say. */
function verdicts(key: Uint8Array, forge: Forge, unsigned = unsignedTransfer(new PublicKey(key))) {
  const wallet = new PublicKey(key).toBase58();
  runtime.fund(wallet);
  const bytes = withSignature(unsigned, forge(messageOf(unsigned)));
  return { runtime: runtime.judge(bytes), ours: accepts(bytes, wallet) };
}

const honest: Forge = (message) => signWithR(honestR, honestKey, message);
const zeroS = (r: Uint8Array) => () => Buffer.concat([r, scalarBytes(0n)]);

describe('a signature is judged as the runtime judges the same bytes', () => {
  test('honest: both accept, in every version', () => {
    const payer = new PublicKey(honestKey);
    const versionZero = unsignedTransfer(payer, { lookup: LOOKUP });
    for (const unsigned of [unsignedTransfer(payer), versionZero, versionOneTransfer(payer)]) {
      expect(verdicts(honestKey, honest, unsigned)).toEqual({ runtime: 'passed', ours: true });
    }
  });

  test.each<[string, Uint8Array, Forge]>([
    ['an empty signature', honestKey, () => new Uint8Array(64)],
    ['R = identity', honestKey, (message) => signWithR(identity, honestKey, message)],
    [
      'R in a non-canonical encoding',
      honestKey,
      (message) => signWithR(nonCanonicalIdentity, honestKey, message),
    ],
    ['S + L', honestKey, (message) => malleated(honest(message))],
    ['small-order key with S = 0', orderEightKey, zeroS(identity)],
    ['identity key with S = 0', identity, zeroS(identity)],
    ['identity key in a non-canonical encoding', nonCanonicalIdentity, zeroS(identity)],
  ])('%s: both refuse', (_name, key, forge) => {
    expect(verdicts(key, forge)).toEqual({ runtime: 'signature', ours: false });
  });

  test('a mixed-order key: both accept exactly where the cofactorless equation holds', () => {
    let accepted = 0;
    for (let count = 0; count < 40; count += 1) {
      const unsigned = unsignedTransfer(new PublicKey(mixedOrderKey));
      const holds = challenge(honestR, mixedOrderKey, messageOf(unsigned)) % 8n === 0n;
      const forge: Forge = (message) => signWithR(honestR, mixedOrderKey, message);
      expect(verdicts(mixedOrderKey, forge, unsigned)).toEqual({
        runtime: holds ? 'passed' : 'signature',
        ours: holds,
      });
      if (holds) accepted += 1;
    }
    expect(accepted).toBeLessThan(40);
  });
});

describe('a requested heap', () => {
  const wallet = seeded(5).publicKey;
  const SIZES = [
    0,
    1_024,
    32_767,
    32_768,
    33_000,
    33_792,
    262_143,
    262_144,
    262_145,
    263_168,
    2 ** 32 - 1_024,
  ];

  test('in the header of version 1 is read exactly when the runtime takes it', () => {
    runtime.fund(wallet.toBase58());
    const taken = SIZES.filter((heapBytes) => {
      const asked = versionOneTransfer(wallet, { heapBytes });
      // Nobody has signed it: what is well-formed is refused for that.
      const isTaken = runtime.judge(asked) === 'signature';
      expect(readTransaction(asked) !== null).toBe(isTaken);
      expect(refusedHeapBytes(asked)).toBe(isTaken ? null : heapBytes);
      return isTaken;
    });
    expect(taken).toEqual([32_768, 33_792, 262_144]);
  });
});

describe('flipped bits', () => {
  const wallet = seeded(5);
  const address = wallet.publicKey.toBase58();
  const privateKey = createPrivateKey({
    key: Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      wallet.secretKey.subarray(0, 32),
    ]),
    format: 'der',
    type: 'pkcs8',
  });
  const signed = (unsigned: Uint8Array) =>
    withSignature(unsigned, sign(null, messageOf(unsigned), privateKey));
  const unsignedOnes = [
    unsignedTransfer(wallet.publicKey, { unitPrice: 5n }),
    unsignedTransfer(wallet.publicKey, { lookup: LOOKUP }),
    versionOneTransfer(wallet.publicKey, { priorityFeeLamports: 7n }),
  ];

  function flip(original: Uint8Array, bit: number): Uint8Array {
    const bytes = Uint8Array.from(original);
    const at = (bit >> 3) % bytes.byteLength;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
    return bytes;
  }

  test('in a signed transaction: the runtime accepts every one that we accept', () => {
    runtime.fund(address);
    const flips = fc.oneof(
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 20, arbitrary: fc.nat(40_000) },
    );
    fc.assert(
      fc.property(fc.constantFrom(...unsignedOnes), flips, (unsigned, bit) => {
        const bytes = bit === null ? signed(unsigned) : flip(signed(unsigned), bit);
        expect(accepts(bytes, address)).toBe(bit === null);
        expect(runtime.judge(bytes) === 'passed').toBe(bit === null);
      }),
      { numRuns: 600 },
    );
  });

  test('before signing: a message that we read and whose signature we accept passes the runtime too', () => {
    runtime.fund(address);
    let passed = 0;
    fc.assert(
      fc.property(fc.constantFrom(...unsignedOnes), fc.nat(40_000), (unsigned, bit) => {
        const changed = flip(unsigned, bit);
        const view = readTransaction(changed);
        if (view === null || view.signatureCount !== 1) return;
        const bytes = signed(withSignature(changed, new Uint8Array(64)));
        if (!accepts(bytes, address)) return;
        // What looks up nothing is refused at preparation, which asks the chain.
        expect(['passed', 'unresolved']).toContain(runtime.judge(bytes));
        passed += 1;
      }),
      { numRuns: 600 },
    );
    expect(passed).toBeGreaterThan(100);
  });
});

const SYSTEM_PROGRAM = '1'.repeat(32);
const MALFORMED_ERRORS = ['SanitizeFailure', 'UnsupportedVersion', 'InvalidAccountIndex'];

/** The verdict of the sandbox chain's runtime on wire bytes, without code of the service. */
interface RuntimeVerdicts {
  fund(address: string): void;
  /** Without its table the runtime refuses a version 0 transaction before it verifies signatures. */
  storeLookupTable(address: string, addresses: readonly string[]): void;
  /**
   * `malformed`: the bytes are no transaction. `unresolved`: a lookup fails, which the runtime finds before
   * it verifies signatures. `signature`: a signature is invalid. `passed`: all checks passed, with any result
   * of the execution.
   */
  judge(bytes: Uint8Array): 'malformed' | 'unresolved' | 'signature' | 'passed';
}

/** Creates a runtime whose verdicts leave no trace. */
function createRuntime(): RuntimeVerdicts {
  const vm = new VirtualMachine();
  vm.setClock(10n, 0);
  function store(address: string, owner: string, data: Uint8Array): void {
    vm.setAccount(address, { lamports: 10n ** 12n, owner, data, executable: false, rentEpoch: 0n });
  }
  return {
    fund: (address) => store(address, SYSTEM_PROGRAM, new Uint8Array(0)),
    storeLookupTable: (address, addresses) =>
      store(address, ADDRESS_LOOKUP_TABLE, lookupTableData(addresses)),
    judge(bytes) {
      const transaction = parse(bytes);
      if (transaction === null) return 'malformed';
      const { err } = vm.simulate(transaction, true);
      if (err === 'SignatureFailure') return 'signature';
      if (typeof err === 'string' && err.includes('AddressLookupTable')) return 'unresolved';
      return typeof err === 'string' && MALFORMED_ERRORS.includes(err) ? 'malformed' : 'passed';
    },
  };
}

/** The native binding ends the process on bytes that do not decode, so the chain's own reader goes first. */
function parse(bytes: Uint8Array): WireTransaction | null {
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (error instanceof MalformedBytes) return null;
    throw error;
  }
}
