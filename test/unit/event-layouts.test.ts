import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { curveEvents } from '../../src/indexer/decode/curve-program.ts';
import { dammEvents } from '../../src/indexer/decode/damm-program.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../src/indexer/decode/decoded-transaction.ts';
import { decodeAddress } from '../../src/shared/address.ts';
import {
  curveAccounts,
  curveMints,
  type EventCase,
  mint,
  pools,
  priceOf,
  SOL,
  sol,
  token,
  tokenIsA,
  tokenIsB,
} from '../support/pools/event-case.ts';
import {
  addressOf,
  eventInstruction,
  type IdlProgram,
  idlDecode,
  idlEvents,
  idlInstruction,
  transactionOf,
} from '../support/pools/program-idl.ts';

interface ClaimCase {
  program: IdlProgram;
  kind: string;
  event: string;
  bytes: number;
  instruction: string;
  claimant: string;
  accounts?: Record<string, string>;
  /** The paid role, and the field with the amount. */
  inSol?: [role: string, field: string];
  inToken?: [role: string, field: string];
}

function claimCase({ kind, claimant, inSol, inToken, accounts, ...rest }: ClaimCase): EventCase {
  return {
    ...rest,
    accounts: { ...curveMints, ...accounts },
    read: ({ feeClaims }) =>
      feeClaims.map((claim) => [
        claim.kind,
        claim.eventName,
        claim.claimant,
        claim.positionAddress,
        claim.solAmount,
        claim.solRecipientAccount,
        claim.tokenAmount,
        claim.tokenRecipientAccount,
      ]),
    expected: (fields) => [
      [
        kind,
        rest.event,
        addressOf(claimant),
        fields.position ?? null,
        sol(inSol === undefined ? '0' : fields[inSol[1]]),
        inSol === undefined ? null : addressOf(inSol[0]),
        token(inToken === undefined ? '0' : fields[inToken[1]]),
        inToken === undefined ? null : addressOf(inToken[0]),
      ],
    ],
  };
}

const curveClaim = {
  program: 'dbc',
  bytes: 48,
  inToken: ['token_a_account', 'tokenBaseAmount'],
  inSol: ['token_b_account', 'tokenQuoteAmount'],
} as const;
const quoteClaim = { program: 'dbc', bytes: 40 } as const;
const claims: ClaimCase[] = [
  ...['claim_trading_fee', 'claim_trading_fee2'].map(
    (instruction): ClaimCase => ({
      ...(curveClaim as unknown as ClaimCase),
      kind: 'curvePartnerFee',
      event: 'EvtClaimTradingFee',
      instruction,
      claimant: 'fee_claimer',
    }),
  ),
  ...['claim_creator_trading_fee', 'claim_creator_trading_fee2'].map(
    (instruction): ClaimCase => ({
      ...(curveClaim as unknown as ClaimCase),
      kind: 'curveCreatorFee',
      event: 'EvtClaimCreatorTradingFee',
      instruction,
      claimant: 'creator',
    }),
  ),
  {
    ...quoteClaim,
    kind: 'curveMigrationFee',
    event: 'EvtWithdrawMigrationFee',
    bytes: 41,
    instruction: 'withdraw_migration_fee',
    claimant: 'sender',
    inSol: ['token_quote_account', 'fee'],
  },
  {
    ...quoteClaim,
    kind: 'curvePartnerSurplus',
    event: 'EvtPartnerWithdrawSurplus',
    instruction: 'partner_withdraw_surplus',
    claimant: 'fee_claimer',
    inSol: ['token_quote_account', 'surplusAmount'],
  },
  {
    ...quoteClaim,
    kind: 'curveCreatorSurplus',
    event: 'EvtCreatorWithdrawSurplus',
    instruction: 'creator_withdraw_surplus',
    claimant: 'creator',
    inSol: ['token_quote_account', 'surplusAmount'],
  },
  {
    program: 'dbc',
    kind: 'curveLeftover',
    event: 'EvtWithdrawLeftover',
    bytes: 72,
    instruction: 'withdraw_leftover',
    claimant: 'leftover_receiver',
    inToken: ['token_base_account', 'leftoverAmount'],
  },
  {
    program: 'damm',
    kind: 'positionFee',
    event: 'EvtClaimPositionFee',
    bytes: 112,
    instruction: 'claim_position_fee',
    claimant: 'signer',
    accounts: tokenIsA,
    inToken: ['token_a_account', 'feeAClaimed'],
    inSol: ['token_b_account', 'feeBClaimed'],
  },
  {
    program: 'damm',
    kind: 'positionFee',
    event: 'EvtClaimPositionFee',
    bytes: 112,
    instruction: 'claim_position_fee',
    claimant: 'signer',
    accounts: tokenIsB,
    inSol: ['token_a_account', 'feeAClaimed'],
    inToken: ['token_b_account', 'feeBClaimed'],
  },
];

/** Every claim of fees that the programs report. */
const claimCases: EventCase[] = claims.map(claimCase);

const liquidityCases = ['add_liquidity', 'remove_liquidity', 'remove_all_liquidity'].flatMap((instruction) =>
  [true, false].map((isA): EventCase => {
    const kind = instruction === 'add_liquidity' ? 'add' : 'remove';
    return {
      program: 'damm',
      event: 'EvtLiquidityChange',
      bytes: 177,
      instruction,
      accounts: isA ? tokenIsA : tokenIsB,
      fixed: { 176: kind === 'add' ? 0 : 1 },
      read: ({ liquidityChanges, liquidityInSol }) => [
        liquidityChanges.map((change) => [
          change.kind,
          change.positionAddress,
          change.ownerAddress,
          String(change.liquidity),
          change.solAmount,
          change.tokenAmount,
        ]),
        liquidityInSol.get(pools.damm.poolAddress),
      ],
      expected: (fields) => [
        [
          [
            kind,
            fields.position,
            fields.owner,
            fields.liquidityDelta,
            sol(isA ? fields.tokenBAmount : fields.tokenAAmount),
            token(isA ? fields.tokenAAmount : fields.tokenBAmount),
          ],
        ],
        sol(isA ? fields.reserveBAmount : fields.reserveAAmount),
      ],
    };
  }),
);

const openingCases = [0, 1].flatMap((hasDynamicFee) =>
  ['initialize_pool', 'initialize_pool_with_dynamic_config', 'initialize_customizable_pool'].map(
    (instruction): EventCase => ({
      program: 'damm',
      event: 'EvtInitializePool',
      bytes: hasDynamicFee === 1 ? 364 : 332,
      instruction,
      accounts: tokenIsA,
      fixed: { 222: hasDynamicFee },
      read: ({ ammPoolsCreated, liquidityInSol }) => [
        ammPoolsCreated.map(({ creator, payer, configAddress, activationPoint }) => [
          creator,
          payer,
          configAddress,
          String(activationPoint),
        ]),
        liquidityInSol.get(pools.damm.poolAddress),
      ],
      expected: ({ creator, payer, activationPoint, tokenBAmount }) => [
        [
          [
            creator,
            payer,
            instruction === 'initialize_customizable_pool' ? null : addressOf('config'),
            activationPoint,
          ],
        ],
        sol(tokenBAmount),
      ],
    }),
  ),
);

function borshText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const launchCases = [
  'initialize_virtual_pool_with_spl_token',
  'initialize_virtual_pool_with_token2022',
  'initialize_virtual_pool_with_token2022_transfer_hook',
].map(
  (instruction): EventCase => ({
    program: 'dbc',
    event: 'EvtInitializePool',
    bytes: 137,
    instruction,
    accounts: curveMints,
    args: Buffer.concat(['Náme', 'SYM', 'https://example.org/a.json'].map(borshText)),
    read: ({ launches }) =>
      launches.map(({ configAddress, creator, payer, activationPoint, name, symbol, uri, baseVault }) => [
        configAddress,
        creator,
        payer,
        String(activationPoint),
        [name, symbol, uri],
        baseVault,
      ]),
    expected: ({ config, creator, activationPoint }) => [
      [
        config,
        creator,
        addressOf('payer'),
        activationPoint,
        ['Náme', 'SYM', 'https://example.org/a.json'],
        addressOf('base_vault'),
      ],
    ],
  }),
);

const otherCases: EventCase[] = [
  {
    program: 'damm',
    event: 'EvtPermanentLockPosition',
    bytes: 96,
    instruction: 'permanent_lock_position',
    read: ({ permanentLocks }) =>
      permanentLocks.map(({ positionAddress, liquidity, poolTotalPermanentlyLocked }) => [
        positionAddress,
        String(liquidity),
        String(poolTotalPermanentlyLocked),
      ]),
    expected: (fields) => [
      [fields.position, fields.lockLiquidityAmount, fields.totalPermanentLockedLiquidity],
    ],
  },
  {
    program: 'damm',
    event: 'EvtCreatePosition',
    bytes: 128,
    instruction: 'create_position',
    read: ({ positionsCreated }) =>
      positionsCreated.map(({ positionAddress, ownerAddress, nftMintAddress }) => [
        positionAddress,
        ownerAddress,
        nftMintAddress,
      ]),
    expected: ({ position, owner, positionNftMint }) => [[position, owner, positionNftMint]],
  },
  {
    program: 'dbc',
    event: 'EvtCurveComplete',
    bytes: 80,
    instruction: 'swap2',
    accounts: curveMints,
    read: ({ curveCompletions }) => curveCompletions.map(({ liquidityInSol }) => liquidityInSol),
    expected: ({ quoteReserve }) => [sol(quoteReserve)],
  },
];

/** Fields of a swap: the direction, a flag of 0 or 1, and amounts and a price above zero. */
const swapFixed = {
  dbc: (direction: number) => ({ 64: direction, 65: 1, 84: 1, 108: 1, 116: 1 }),
  damm: (direction: number) => ({ 32: direction, 34: 1, 85: 1, 133: 1, 149: 1 }),
};

/** An event of a swap in one direction, for either program. */
function swapCase(
  program: IdlProgram,
  { isA, direction, instruction }: { isA: boolean; direction: 0 | 1; instruction: string },
): EventCase {
  const isBuy = program === 'dbc' ? direction === 1 : (direction === 1) === isA;
  return {
    program,
    event: 'EvtSwap2',
    bytes: program === 'dbc' ? 179 : 180,
    instruction,
    accounts: isA ? tokenIsA : tokenIsB,
    fixed: swapFixed[program](direction),
    read: ({ trades }) =>
      trades.map(({ type, traderWallet, solAmount, tokenAmount, spotPriceInSol, liquidityInSol, venue }) => [
        venue,
        type,
        traderWallet,
        solAmount,
        tokenAmount,
        spotPriceInSol,
        liquidityInSol,
      ]),
    expected: (fields) => {
      const [paid, received] =
        program === 'dbc'
          ? [fields.includedFeeInputAmount, fields.outputAmount]
          : [fields.includedTransferFeeAmountIn, fields.excludedTransferFeeAmountOut];
      const ammReserve = isA ? fields.reserveBAmount : fields.reserveAAmount;
      return [
        [
          program,
          isBuy ? 'buy' : 'sell',
          addressOf('payer'),
          sol(isBuy ? paid : received),
          token(isBuy ? received : paid),
          priceOf(fields.nextSqrtPrice, !isA),
          sol(program === 'dbc' ? fields.quoteReserveAmount : ammReserve),
        ],
      ];
    },
  };
}

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
