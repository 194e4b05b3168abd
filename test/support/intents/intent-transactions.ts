import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { encodeBase58 } from '../../../src/shared/base58.ts';

const SOME_BLOCKHASH = encodeBase58(Buffer.alloc(32, 9));
const NEVER = 2n ** 64n - 1n;

export interface TransferShape {
  blockhash?: string;
  to?: string;
  lamports?: bigint;
  /** Micro-lamports per compute unit. */
  unitPrice?: bigint;
  /** An instruction requests this heap size. */
  heapBytes?: number;
  /** Meaningless bytes after the price. */
  pricePadding?: number;
  /** The lookup of the destination, which makes a version 0 transaction. */
  lookup?: { table: string; index: number };
}

/** An unsigned transfer: legacy, or version 0 when the destination is looked up. */
export function unsignedTransfer(payer: PublicKey, shape: TransferShape = {}): Uint8Array {
  const { blockhash = SOME_BLOCKHASH, lamports = 1_000_000n, unitPrice, lookup } = shape;
  const toPubkey = shape.to === undefined ? Keypair.generate().publicKey : new PublicKey(shape.to);
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: blockhash,
    instructions: [
      ...(shape.heapBytes === undefined
        ? []
        : [ComputeBudgetProgram.requestHeapFrame({ bytes: shape.heapBytes })]),
      ...(unitPrice === undefined ? [] : [priceInstruction(unitPrice, shape.pricePadding ?? 0)]),
      SystemProgram.transfer({ fromPubkey: payer, toPubkey, lamports }),
    ],
  });
  if (lookup === undefined) return new VersionedTransaction(message.compileToLegacyMessage()).serialize();
  // Only the address at the index matters in this table.
  const filler = Array.from({ length: lookup.index }, () => Keypair.generate().publicKey);
  const state = {
    deactivationSlot: NEVER,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [...filler, toPubkey],
  };
  const table = new AddressLookupTableAccount({ key: new PublicKey(lookup.table), state });
  return new VersionedTransaction(message.compileToV0Message([table])).serialize();
}

function priceInstruction(microLamports: bigint, padding: number): TransactionInstruction {
  const { programId, data } = ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
  return new TransactionInstruction({
    programId,
    keys: [],
    data: Buffer.concat([data, Buffer.alloc(padding)]),
  });
}

/** An unsigned transfer with a durable nonce whose authority is the payer. */
export function nonceTransfer(
  payer: PublicKey,
  nonceAccount: string,
  nonce: string,
  version: 'legacy' | 'v0' = 'legacy',
  calls: readonly string[] = [],
): Uint8Array {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: nonce,
    instructions: [
      SystemProgram.nonceAdvance({ noncePubkey: new PublicKey(nonceAccount), authorizedPubkey: payer }),
      SystemProgram.transfer({ fromPubkey: payer, toPubkey: Keypair.generate().publicKey, lamports: 1n }),
      ...calls.map((program) => new TransactionInstruction({ programId: new PublicKey(program), keys: [] })),
    ],
  });
  const compiled = version === 'legacy' ? message.compileToLegacyMessage() : message.compileToV0Message();
  return new VersionedTransaction(compiled).serialize();
}

/** The account data of an initialised nonce account. */
export function nonceAccountData(nonce: string, authority?: string): Buffer {
  const data = Buffer.alloc(80);
  data.writeUInt32LE(1, 0);
  data.writeUInt32LE(1, 4);
  if (authority !== undefined) data.set(bs58.decode(authority), 8);
  data.set(bs58.decode(nonce), 40);
  return data;
}

export interface VersionOneShape {
  blockhash?: string;
  priorityFeeLamports?: bigint;
  computeUnitLimit?: number;
  /** The header requests this heap size. */
  heapBytes?: number;
}

/** An unsigned version 1 transfer by SIMD-0385, with room for one signature at its end. */
export function versionOneTransfer(payer: PublicKey, shape: VersionOneShape = {}): Uint8Array {
  const { blockhash = SOME_BLOCKHASH, priorityFeeLamports = 0n, computeUnitLimit = 50_000 } = shape;
  const toPubkey = Keypair.generate().publicKey;
  const { data } = SystemProgram.transfer({ fromPubkey: payer, toPubkey, lamports: 1_000_000n });
  const { heapBytes } = shape;
  const config = Buffer.alloc(heapBytes === undefined ? 16 : 20);
  if (heapBytes !== undefined) config.writeUInt32LE(heapBytes, 16);
  config.writeBigUInt64LE(priorityFeeLamports, 0);
  config.writeUInt32LE(computeUnitLimit, 8);
  config.writeUInt32LE(1_000_000, 12);
  return Buffer.concat([
    Uint8Array.of(0x81, 1, 0, 1, heapBytes === undefined ? 0b1111 : 0b11111, 0, 0, 0),
    bs58.decode(blockhash),
    Uint8Array.of(1, 3),
    payer.toBytes(),
    toPubkey.toBytes(),
    SystemProgram.programId.toBytes(),
    config,
    Uint8Array.of(2, 2, data.byteLength, 0, 0, 1),
    data,
    Buffer.alloc(64),
  ]);
}

/** The account data of an address lookup table. */
export function lookupTableData(addresses: readonly string[], deactivationSlot = NEVER): Uint8Array {
  const header = Buffer.alloc(56);
  header.writeUInt32LE(1, 0);
  header.writeBigUInt64LE(deactivationSlot, 4);
  return Buffer.concat([header, ...addresses.map((address) => bs58.decode(address))]);
}
