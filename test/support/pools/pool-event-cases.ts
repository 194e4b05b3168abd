import { curveMints, type EventCase, pools, sol, token, tokenIsA, tokenIsB } from './event-case.ts';
import { addressOf } from './program-idl.ts';

export const liquidityCases = ['add_liquidity', 'remove_liquidity', 'remove_all_liquidity'].flatMap(
  (instruction) =>
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

export const openingCases = [0, 1].flatMap((hasDynamicFee) =>
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

export const launchCases = [
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

export const otherCases: EventCase[] = [
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
