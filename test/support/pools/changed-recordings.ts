import bs58 from 'bs58';
import { readChainTransaction } from '../../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../../src/indexer/decode/decoded-transaction.ts';
import type { RecordedTransaction } from './curve-fixtures.ts';
import { type DammFixture, dammFixture, poolsOf } from './damm-fixtures.ts';

export const CURVE = 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN';
export const AMM = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
export const AMM_V1 = 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB';
export const CURVE_EVENT_AUTHORITY = '8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF';
export const AMM_EVENT_AUTHORITY = '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet';
export const SPL_TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const SOL = 'So11111111111111111111111111111111111111112';
export const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
export const EVENT_SWAP = '1b3c15d58aaabb93';

/** The first step of this kind in a fresh copy of the history. */
export function stepOf(letter: string, what: string) {
  const fixture = dammFixture(letter);
  const found = fixture.steps.find((step) => step.what.includes(what));
  if (found === undefined) throw new Error(`no step ${what}`);
  return { fixture, ...found };
}

export const decode = (transaction: RecordedTransaction, fixture: DammFixture): DecodedTransaction =>
  decodeTransaction(readChainTransaction(transaction), poolsOf(fixture));

/** Trades, claims and changes of liquidity without their places, which a router changes. */
export function withoutPlaces({ trades, feeClaims, liquidityChanges, permanentLocks }: DecodedTransaction) {
  return [trades, feeClaims, liquidityChanges, permanentLocks].map((facts) =>
    facts.map(({ outerIndex: _, innerIndex: __, ...fact }) => fact),
  );
}

export function keysOf({ meta, transaction }: RecordedTransaction): string[] {
  return [
    ...transaction.message.accountKeys,
    ...meta.loadedAddresses.writable,
    ...meta.loadedAddresses.readonly,
  ];
}

/** The index of an address in the transaction. Makes looked-up addresses static and adds a missing
 * address. */
export function indexOf(recorded: RecordedTransaction, address: string): number {
  const { message } = recorded.transaction;
  message.accountKeys = keysOf(recorded);
  recorded.meta.loadedAddresses = { writable: [], readonly: [] };
  const at = message.accountKeys.indexOf(address);
  return at === -1 ? message.accountKeys.push(address) - 1 : at;
}

/** Moves all top-level instructions, in order, into one call of a router, `levels` deep. */
export function throughRouter(recorded: RecordedTransaction, levels: number): void {
  const router = indexOf(recorded, ROUTER);
  const { message } = recorded.transaction;
  const wrapper = { programIdIndex: router, accounts: [], data: '', stackHeight: 2 };
  const inner = message.instructions.flatMap((outer, at) => [
    ...Array.from({ length: levels - 1 }, (_, level) => ({ ...wrapper, stackHeight: level + 2 })),
    { ...outer, stackHeight: levels + 1 },
    ...(recorded.meta.innerInstructions.find(({ index }) => index === at)?.instructions ?? []).map((one) => ({
      ...one,
      stackHeight: (one.stackHeight ?? 0) + levels,
    })),
  ]);
  message.instructions = [{ programIdIndex: router, accounts: [], data: '', stackHeight: 1 }];
  recorded.meta.innerInstructions = [{ index: 0, instructions: inner }];
}

export function eventsIn(recorded: RecordedTransaction) {
  const keys = keysOf(recorded);
  return recorded.meta.innerInstructions.flatMap(({ instructions }) =>
    instructions.filter(({ accounts, programIdIndex }) => {
      const isProgram = [CURVE, AMM].includes(keys[programIdIndex] ?? '');
      return isProgram && accounts.length === 1;
    }),
  );
}

export const hexOf = (data: string) => Buffer.from(bs58.decode(data)).toString('hex');
