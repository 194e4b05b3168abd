import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { curveEvents } from '../../src/indexer/decode/curve-program.ts';
import { dammEvents } from '../../src/indexer/decode/damm-program.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../src/indexer/decode/decoded-transaction.ts';
import { decodeAddress } from '../../src/shared/address.ts';
import { curveAccounts, curveMints, type EventCase, mint, pools, SOL } from '../support/pools/event-case.ts';
import { claimCases } from '../support/pools/fee-claim-event-cases.ts';
import { launchCases, liquidityCases, openingCases, otherCases } from '../support/pools/pool-event-cases.ts';
import {
  addressOf,
  eventInstruction,
  idlDecode,
  idlEvents,
  idlInstruction,
  transactionOf,
} from '../support/pools/program-idl.ts';
import { swapCase } from '../support/pools/swap-event-cases.ts';

// The libraries of the two programs carry their published interfaces. Every event here has random fields, follows
// an instruction with its accounts in the published order, and must come out as the library's own coder reads it.

const directions = [0, 1] as const;
const cases: EventCase[] = [
  ...['swap', 'swap2', 'swap2_with_transfer_hook'].flatMap((instruction) =>
    directions.map((direction) => ({
      ...swapCase('dbc', { isA: true, direction, instruction }),
      accounts: curveMints,
    })),
  ),
  ...['swap', 'swap2'].flatMap((instruction) =>
    [true, false].flatMap((isA) =>
      directions.map((direction) => swapCase('damm', { isA, direction, instruction })),
    ),
  ),
  ...claimCases,
  ...liquidityCases,
  ...openingCases,
  ...launchCases,
  ...otherCases,
];

function decodeCase(
  { program, event, instruction, accounts, args }: EventCase,
  body: Buffer,
): DecodedTransaction {
  const own = program === 'dbc' ? curveAccounts : { pool: pools.damm.poolAddress };
  const outer = idlInstruction(program, instruction, { ...own, ...accounts }, args);
  return decodeTransaction(transactionOf(outer, [eventInstruction(program, event, body)]), pools[program]);
}

/** A body of the event's length with random fields, of the known pool. */
function bodyOf({ program, event, fixed = {} }: EventCase, random: Uint8Array): Buffer {
  const body = Buffer.from(random);
  for (const [offset, value] of Object.entries(fixed)) body[Number(offset)] = value;
  body.set(decodeAddress(pools[program].poolAddress) ?? [], 0);
  // The curve's launch names its mint, after pool, config and creator.
  if (program === 'dbc' && event === 'EvtInitializePool') body.set(decodeAddress(mint) ?? [], 96);
  return body;
}

describe.each(cases)('$program $event after $instruction', (one) => {
  test('reads every field as the library of the program does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: one.bytes, maxLength: one.bytes }), (random) => {
        const body = bodyOf(one, random);
        const decoded = decodeCase(one, body);
        expect([...decoded.skippedSwaps, ...decoded.skippedEvents]).toEqual([]);
        expect(one.read(decoded)).toEqual(one.expected(idlDecode(one.program, one.event, body)));
      }),
      { numRuns: 30 },
    );
  });

  test('yields no fact, and never throws, when it is cut anywhere', () => {
    const body = bodyOf(one, new Uint8Array(one.bytes).fill(1));
    for (let length = 0; length < one.bytes; length += 1) {
      const decoded = decodeCase(one, body.subarray(0, length));
      const facts = [decoded.trades, decoded.feeClaims, decoded.liquidityChanges, decoded.permanentLocks];
      expect(facts.flat()).toEqual([]);
    }
  });

  test('fields appended by a later generation do no harm', () => {
    const body = bodyOf(one, new Uint8Array(one.bytes).fill(1));
    const longer = Buffer.concat([body, Buffer.alloc(24, 0xff)]);
    expect(one.read(decodeCase(one, longer))).toEqual(one.read(decodeCase(one, body)));
  });
});

test('a protocol fee of the later kind names its token and its receiver itself', () => {
  for (const [program, kind] of [
    ['dbc', 'curveProtocolFee'],
    ['damm', 'ammProtocolFee'],
  ] as const) {
    for (const paid of [SOL, mint, addressOf('another token')]) {
      const one = { program, event: 'EvtClaimProtocolFee2', instruction: 'claim_protocol_fee2' } as EventCase;
      const body = bodyOf(one, Buffer.alloc(104));
      body.set(decodeAddress(addressOf('receiver')) ?? [], 32);
      body.set(decodeAddress(paid) ?? [], 64);
      body.writeBigUInt64LE(123_456_789n, 96);
      const fields = idlDecode(program, one.event, body);
      expect([fields.receiverTokenAccount, fields.tokenMint, fields.amount]).toEqual([
        addressOf('receiver'),
        paid,
        '123456789',
      ]);
      const { feeClaims, skippedEvents } = decodeCase(one, body);
      const read = feeClaims.map(
        ({ kind, claimant, solAmount, tokenAmount, solRecipientAccount, ...rest }) => [
          kind,
          claimant,
          [solAmount, solRecipientAccount],
          [tokenAmount, rest.tokenRecipientAccount],
        ],
      );
      const inSol = paid === SOL ? ['0.123456789', addressOf('receiver')] : ['0', null];
      const inToken = paid === mint ? ['123.456789', addressOf('receiver')] : ['0', null];
      const isOurs = paid === SOL || paid === mint;
      expect<unknown>(read).toEqual(isOurs ? [[kind, addressOf('signer'), inSol, inToken]] : []);
      expect(skippedEvents.map(({ reason }) => reason)).toEqual(isOurs ? [] : ['quote_is_not_sol']);
    }
  }
});

test('every event of the published interfaces is known by its name', () => {
  const known = { dbc: curveEvents, damm: dammEvents };
  for (const program of ['dbc', 'damm'] as const)
    for (const { name, discriminator } of idlEvents(program))
      expect<string | undefined>(known[program].get(discriminator)).toBe(name);
});
