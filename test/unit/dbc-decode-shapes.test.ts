import { expect, test } from 'bun:test';
import bs58 from 'bs58';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import {
  type CurveFixture,
  curveFixture,
  type RecordedTransaction,
} from '../support/pools/curve-fixtures.ts';

// Shapes that no fixture has. Each is a recorded one with the change that the test's name says.

const CURVE = 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN';
const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const SWAP2_WITH_TRANSFER_HOOK = 'b75d992818e6c297';
const EVENT_SWAP2 = 'bd4233a826507599';
const EVENT_SWAP2_WITH_TRANSFER_HOOK = '863ba8785e3372e7';
const HEX_BYTES = 16;

function step(letter: string, at: number) {
  const fixture = curveFixture(letter);
  const found = fixture.steps[at];
  if (found === undefined) throw new Error('no such step');
  return { fixture, transaction: found.transaction, trades: found.expected.trades };
}

const decode = (transaction: RecordedTransaction, { pool }: CurveFixture) =>
  decodeTransaction(readChainTransaction(transaction), pool);

function rows(transaction: RecordedTransaction, fixture: CurveFixture): unknown[] {
  return decode(transaction, fixture).trades.map(
    ({ blockTime: _, liquidityInSol: __, venue: ___, slot, ...row }) => ({ ...row, slot: Number(slot) }),
  );
}

function innerOf({ meta }: RecordedTransaction, outerIndex: number) {
  const found = meta.innerInstructions.find(({ index }) => index === outerIndex);
  if (found === undefined) throw new Error('nothing ran inside it');
  return found;
}

const hexOf = (data: string) => Buffer.from(bs58.decode(data)).toString('hex');
const dataOf = (hex: string) => bs58.encode(Buffer.from(hex, 'hex'));

/** Replaces the 16 hex digits at `from` wherever they are `old`. */
function rename(instruction: { data: string }, from: number, old: string | null, name: string): void {
  const hex = hexOf(instruction.data);
  if (old !== null && hex.slice(from, from + HEX_BYTES) !== old) return;
  instruction.data = dataOf(hex.slice(0, from) + name + hex.slice(from + HEX_BYTES));
}

/** Moves both swaps of step 1 into one call of a router, the second after the first. */
function throughRouter(transaction: RecordedTransaction): void {
  const { accountKeys, instructions } = transaction.transaction.message;
  const router = accountKeys.push(ROUTER) - 1;
  const inner = [4, 5].flatMap((outerIndex) => {
    const swap = instructions[outerIndex];
    if (swap === undefined) throw new Error('no swap');
    const ran = innerOf(transaction, outerIndex).instructions;
    return [{ ...swap, stackHeight: 2 }, ...ran.map((one) => ({ ...one, stackHeight: 3 }))];
  });
  instructions.splice(4, 2, { programIdIndex: router, accounts: [], data: '', stackHeight: 1 });
  transaction.meta.innerInstructions = transaction.meta.innerInstructions.filter(({ index }) => index < 4);
  transaction.meta.innerInstructions.push({ index: 4, instructions: inner });
}

test('swaps that a router calls keep their own trader and amounts, also on a node that reports no levels', () => {
  const { fixture, transaction, trades } = step('e', 1);
  throughRouter(transaction);
  // In the list of the router's call, each swap precedes its four instructions.
  const expected = trades.map((trade, at) => ({ ...trade, outerIndex: 4, innerIndex: at * 5 + 4 }));
  expect(rows(transaction, fixture)).toEqual(expected);
  for (const { instructions } of transaction.meta.innerInstructions)
    for (const instruction of instructions) instruction.stackHeight = null;
  expect(rows(transaction, fixture)).toEqual(expected);
});

test('the trader is the payer of the very swap that emitted the event, not of its neighbour', () => {
  const { fixture, transaction, trades } = step('e', 1);
  const other = transaction.transaction.message.accountKeys.push(ROUTER) - 1;
  transaction.transaction.message.instructions[5]?.accounts.splice(9, 1, other);
  expect(rows(transaction, fixture)).toEqual([trades[0], { ...trades[1], traderWallet: ROUTER }]);
});

test('pools with a transfer hook have instruction and event names of their own', () => {
  const { fixture, transaction, trades } = step('a', 1);
  const swap = transaction.transaction.message.instructions[4];
  if (swap === undefined) throw new Error('no swap');
  rename(swap, 0, null, SWAP2_WITH_TRANSFER_HOOK);
  for (const inner of innerOf(transaction, 4).instructions)
    rename(inner, HEX_BYTES, EVENT_SWAP2, EVENT_SWAP2_WITH_TRANSFER_HOOK);
  expect(rows(transaction, fixture)).toEqual(trades);
});

test('a program generation that emits only the legacy event gives the same trades without a reserve', () => {
  for (const [letter, at] of [
    ['a', 1],
    ['b', 2],
    ['h', 4],
    ['j', 3],
  ] as const) {
    const { fixture, transaction, trades } = step(letter, at);
    for (const entry of transaction.meta.innerInstructions)
      entry.instructions = entry.instructions.filter(
        ({ data }) => !hexOf(data).slice(HEX_BYTES).startsWith(EVENT_SWAP2),
      );
    expect(rows(transaction, fixture)).toEqual(trades.map((trade) => ({ ...trade, innerIndex: 2 })));
    expect(decode(transaction, fixture).trades.map(({ liquidityInSol }) => liquidityInSol)).toEqual([null]);
  }
});

test('accounts of lookup tables are resolved: written ones first, then those only read', () => {
  const { fixture, transaction, trades } = step('e', 1);
  const { accountKeys } = transaction.transaction.message;
  const loaded = accountKeys.splice(accountKeys.length - 5);
  transaction.meta.loadedAddresses = { writable: loaded.slice(0, 2), readonly: loaded.slice(2) };
  expect(rows(transaction, fixture)).toEqual(trades);
});

test('a version 1 message, which has a configuration and no lookup tables, decodes alike', () => {
  const { fixture, transaction, trades } = step('b', 2);
  const message = { ...transaction.transaction.message, transactionConfig: { computeUnitLimit: 200_000 } };
  const { loadedAddresses: _, ...meta } = transaction.meta;
  const version1 = { ...transaction, version: 1, meta, transaction: { ...transaction.transaction, message } };
  expect(rows(version1 as unknown as RecordedTransaction, fixture)).toEqual(trades);
});

test('64-bit fields may come as bigint, and a missing block time is taken from the event', () => {
  const { fixture, transaction, trades } = step('a', 1);
  const [decoded] = decode(transaction, fixture).trades;
  const exact = { ...transaction, slot: BigInt(transaction.slot), blockTime: null };
  const [other] = decode(exact as unknown as RecordedTransaction, fixture).trades;
  expect(other?.slot).toBe(BigInt(trades[0]?.slot ?? 0));
  expect(other?.blockTime).toEqual(decoded?.blockTime ?? new Date(0));
});

test('unknown and cut events are counted, and harm no other event', () => {
  const { fixture, transaction, trades } = step('e', 1);
  const first = innerOf(transaction, 4).instructions;
  const event = first.at(-1);
  if (event === undefined) throw new Error('no event');
  const second = innerOf(transaction, 5).instructions.at(-1);
  if (second === undefined) throw new Error('no event');
  first.push({ ...event, data: dataOf(`e445a52e51cb9a1d${'ab'.repeat(8)}01`) });
  first.push({ ...event, data: dataOf(`e445a52e51cb9a1d${'ab'.repeat(8)}`) });
  second.data = dataOf(hexOf(second.data).slice(0, 200));
  const decoded = decode(transaction, fixture);
  expect([...decoded.unknownEvents]).toEqual([['ab'.repeat(8), 2]]);
  expect(decoded.skippedSwaps).toEqual(['unreadable']);
  expect(decoded.trades.map(({ outerIndex }) => outerIndex)).toEqual([trades[0]?.outerIndex ?? -1]);
});

test('an event forged by another program does not count', () => {
  const { fixture, transaction } = step('a', 1);
  const { accountKeys } = transaction.transaction.message;
  const router = accountKeys.push(ROUTER) - 1;
  const program = accountKeys.indexOf(CURVE);
  for (const inner of innerOf(transaction, 4).instructions)
    if (inner.programIdIndex === program) inner.programIdIndex = router;
  expect(rows(transaction, fixture)).toEqual([]);
});

test('a pool that trades against another token than SOL, or a token of another mint, gives no trades', () => {
  const { fixture, transaction } = step('a', 1);
  const mint = transaction.transaction.message.accountKeys.push(ROUTER) - 1;
  transaction.transaction.message.instructions[4]?.accounts.splice(8, 1, mint);
  expect(decode(transaction, fixture)).toMatchObject({ trades: [], skippedSwaps: ['quote_is_not_sol'] });
  const other = { ...curveFixture('a').pool, mintAddress: ROUTER };
  const recorded = readChainTransaction(step('a', 1).transaction);
  expect(decodeTransaction(recorded, other)).toMatchObject({ trades: [], skippedSwaps: ['mint_differs'] });
});

test('an incomplete transaction is refused, so that it is fetched again', () => {
  const { transaction } = step('a', 1);
  for (const broken of [
    null,
    {},
    { ...transaction, meta: null },
    { ...transaction, meta: { ...transaction.meta, innerInstructions: null } },
    {
      ...transaction,
      transaction: { ...transaction.transaction, message: { accountKeys: [], instructions: [{}] } },
    },
  ])
    expect(() => readChainTransaction(broken)).toThrow(RangeError);
});
