import bs58 from 'bs58';
import { TOKEN_METADATA } from '../../../../src/chain/accounts/programs.ts';
import { MalformedBytes } from '../../byte-reader.ts';
import { notComputed } from '../anchor/anchor-program.ts';
import { ArgumentReader, BorshWriter } from '../anchor/borsh.ts';
import { allocateAndAssign, transferLamports } from '../cpi/system-program.ts';
import { derivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import { type CallAccount, type ProgramCall, ProgramError, type ProgramModel } from '../model.ts';

export const METADATA_BYTES = 679;
export const UPDATE_AUTHORITY_OFFSET = 1;
const KEY_METADATA = 4;
const STANDARD_FUNGIBLE = 2;
const STANDARD_FUNGIBLE_ASSET = 1;

/** The longest texts. Each takes this many bytes in the account, also when it is shorter. */
export const textBytesMax = { name: 32, symbol: 10, uri: 200 } as const;

export interface Metadata {
  readonly updateAuthority: string;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly sellerFeeBasisPoints: number;
  readonly isMutable: boolean;
  /** Bump of the address of an edition, although no fungible token has one. */
  readonly editionBump: number;
  readonly decimals: number;
}

/** The whole account, without creators, collection and uses. Its last byte says that it holds the creation fee. */
export function metadataAccount(metadata: Metadata): Uint8Array {
  const { name, symbol, uri } = metadata;
  const standard = metadata.decimals > 0 ? STANDARD_FUNGIBLE : STANDARD_FUNGIBLE_ASSET;
  const fields = new BorshWriter()
    .u8(KEY_METADATA)
    .address(metadata.updateAuthority, metadata.mint)
    .bytes(padded(name, textBytesMax.name))
    .bytes(padded(symbol, textBytesMax.symbol))
    .bytes(padded(uri, textBytesMax.uri))
    .u16(metadata.sellerFeeBasisPoints)
    .bool(false) // creators
    .bool(false) // primary sale happened
    .bool(metadata.isMutable)
    .bool(true)
    .u8(metadata.editionBump)
    .bool(true)
    .u8(standard)
    .finish();
  const data = new Uint8Array(METADATA_BYTES);
  data.set(fields);
  data[METADATA_BYTES - 1] = 1;
  return data;
}

function padded(text: string, bytes: number): Uint8Array {
  const room = Buffer.alloc(bytes);
  room.write(text);
  return new BorshWriter().u32(bytes).bytes(room).finish();
}

const UPDATE_METADATA_V2 = 15;
const CREATE_METADATA_V3 = 33;
/** Lamports that the program keeps for each metadata account. */
const CREATION_FEE = 10_000_000n;
const DECIMALS_OFFSET = 44;

const errors = {
  InstructionUnpackError: [0, 'Failed to unpack instruction data'],
  InvalidMetadataKey: [5, 'Metadata account key does not match its derived address'],
  UpdateAuthorityIncorrect: [7, 'Update Authority given does not match'],
  UpdateAuthorityIsNotSigner: [8, 'Update Authority needs to be signer to update metadata'],
  NameTooLong: [11, 'Name too long'],
  SymbolTooLong: [12, 'Symbol too long'],
  UriTooLong: [13, 'URI too long'],
  NotMintAuthority: [9, 'Not the mint authority'],
} as const;

function failure(name: keyof typeof errors): ProgramError {
  const [number, message] = errors[name];
  return new ProgramError(number, message);
}

/** The two instructions of the token-metadata program that creating a token needs. */
export const tokenMetadataProgram: ProgramModel = {
  address: TOKEN_METADATA,
  *run(call) {
    const args = new ArgumentReader(call.data, 1);
    try {
      if (call.data[0] === CREATE_METADATA_V3) yield* createMetadata(call, args);
      else if (call.data[0] === UPDATE_METADATA_V2) yield* updateMetadata(call, args);
      else throw notComputed(`instruction ${call.data[0]} of the token-metadata program`);
    } catch (error) {
      throw error instanceof MalformedBytes ? failure('InstructionUnpackError') : error;
    }
  },
};

function at(call: ProgramCall, index: number): CallAccount {
  const account = call.accounts[index];
  if (account === undefined) throw failure('InstructionUnpackError');
  return account;
}

function* createMetadata(call: ProgramCall, args: ArgumentReader): Generator<Effect, void, void> {
  yield { kind: 'log', message: 'IX: Create Metadata Accounts v3' };
  const [metadata, mint, mintAuthority] = [at(call, 0), at(call, 1), at(call, 2)];
  const [payer, updateAuthority] = [at(call, 3), at(call, 4)];
  const texts = { name: args.string(), symbol: args.string(), uri: args.string() };
  const sellerFeeBasisPoints = args.u16();
  const hasParts = [args.bool(), args.bool(), args.bool()].includes(true);
  if (hasParts) throw notComputed('metadata with creators, a collection or uses');
  const isMutable = args.bool();
  const seeds: readonly (string | Uint8Array)[] = [
    'metadata',
    bs58.decode(TOKEN_METADATA),
    bs58.decode(mint.address),
  ];
  const derived = derivedAddress(TOKEN_METADATA, ...seeds);
  if (derived.address !== metadata.address) throw failure('InvalidMetadataKey');
  if (!mintAuthority.signer) throw failure('NotMintAuthority');
  const held = call.account(metadata.address)?.lamports ?? 0n;
  const due = call.rentExemptLamports(METADATA_BYTES) + CREATION_FEE;
  if (held < due) yield transferLamports(payer.address, metadata.address, due - held);
  yield* allocateMetadata(metadata.address, derived);
  checkLengths(texts);
  const edition = derivedAddress(TOKEN_METADATA, ...seeds, 'edition');
  const bytes = metadataAccount({
    ...texts,
    updateAuthority: updateAuthority.address,
    mint: mint.address,
    sellerFeeBasisPoints,
    isMutable,
    editionBump: edition.seeds.at(-1)?.[0] ?? 0,
    decimals: call.account(mint.address)?.data[DECIMALS_OFFSET] ?? 0,
  });
  yield { kind: 'write', account: 0, offset: 0, bytes };
}

function* allocateMetadata(
  address: string,
  derived: ReturnType<typeof derivedAddress>,
): Generator<Effect, void, void> {
  const request = { address, owner: TOKEN_METADATA, dataBytes: METADATA_BYTES, signers: [derived] };
  const messages = ['Allocate space for the account', 'Assign the account to the owning program'];
  for (const effect of allocateAndAssign(request)) {
    yield { kind: 'log', message: messages.shift() ?? '' };
    yield effect;
  }
}

function checkLengths({ name, symbol, uri }: { name: string; symbol: string; uri: string }): void {
  if (Buffer.byteLength(name) > textBytesMax.name) throw failure('NameTooLong');
  if (Buffer.byteLength(symbol) > textBytesMax.symbol) throw failure('SymbolTooLong');
  if (Buffer.byteLength(uri) > textBytesMax.uri) throw failure('UriTooLong');
}

function* updateMetadata(call: ProgramCall, args: ArgumentReader): Generator<Effect, void, void> {
  yield { kind: 'log', message: 'IX: Update Metadata Accounts v2' };
  const [metadata, authority] = [at(call, 0), at(call, 1)];
  if (args.bool()) throw notComputed('a change of name, symbol or URI in metadata');
  const next = args.option(() => args.take(32));
  if (args.bool() || args.bool()) throw notComputed('a change of the flags of metadata');
  const data = call.account(metadata.address)?.data ?? new Uint8Array(0);
  const current = data.subarray(UPDATE_AUTHORITY_OFFSET, UPDATE_AUTHORITY_OFFSET + 32);
  if (!Buffer.from(current).equals(Buffer.from(bs58.decode(authority.address))))
    throw failure('UpdateAuthorityIncorrect');
  if (!authority.signer) throw failure('UpdateAuthorityIsNotSigner');
  if (next !== null)
    yield { kind: 'write', account: 0, offset: UPDATE_AUTHORITY_OFFSET, bytes: Uint8Array.from(next) };
}
