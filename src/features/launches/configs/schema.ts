import { type Static, Type } from '@sinclair/typebox';
import {
  AddressField,
  CountField,
  DecimalStringField,
  described,
  IntStringField,
  Named,
  Nullable,
  OneOf,
} from '../../../shared/field-schemas.ts';
import { LAUNCH_CONFIG_NAME } from '../../../shared/launch-config-name.ts';
import { prices } from '../../../shared/prices.ts';
import { configFaults } from './launch-configs.ts';

/** contract/launches#configs */
export const ConfigNameField = Type.String({ pattern: LAUNCH_CONFIG_NAME, examples: ['standard'] });

/** Lamports of a first buy, in a body or a query. */
export const FirstBuyAmountField = described(
  'Lamports to spend, fee included.',
  Type.String({ pattern: '^[1-9][0-9]{0,19}$', examples: ['100000000'] }),
);

export const FirstBuySlippageField = described(
  'How far the price may move against the creator, in basis points.',
  Type.Integer({ minimum: 0, maximum: 10_000 }),
);

const PercentField = Type.Integer({ minimum: 0, maximum: 100 });
const authorities = ['creator', 'partner', 'nobody'] as const;

const feeShareFields = {
  protocolPercent: described('Share of the program, in percent of the fee.', DecimalStringField),
  creatorPercent: described('Share of the creator, in percent of the fee.', DecimalStringField),
  partnerPercent: described('Share of the operator, in percent of the fee.', DecimalStringField),
};

const TradingFeeSchema = Type.Object({
  startPercent: described('Fee of a trade when the pool opens, in percent.', DecimalStringField),
  endPercent: described('Fee after the last step, in percent.', DecimalStringField),
  schedule: described(
    'How the fee goes from start to end; `rate_limiter` adds to the fee of large buys for a time.',
    OneOf(['constant', 'linear', 'exponential', 'rate_limiter']),
  ),
  unit: described('What lengths of the schedule count.', OneOf(['seconds', 'slots'])),
  steps: described('Number of steps; 0 for a fee that stays.', CountField),
  stepLength: described('Length of a step.', IntStringField),
  duration: described('From the opening of the pool to the last step.', IntStringField),
  rateLimiter: described(
    'The surcharge of large buys, while `duration` lasts; null with another schedule.',
    Nullable(
      Type.Object({
        referenceInSol: described('Buys up to this much pay `startPercent`.', DecimalStringField),
        incrementPercent: described(
          'Added for each further stretch of that length, in percent.',
          DecimalStringField,
        ),
        maximumPercent: described('The highest fee, in percent.', DecimalStringField),
      }),
    ),
  ),
  dynamicMaximumPercent: described(
    'The most that fast price moves add to the fee, in percent; null where they add nothing.',
    Nullable(DecimalStringField),
  ),
  paidIn: described(
    'What the fee is taken in: SOL alone, or what a trade pays out.',
    OneOf(['sol', 'output']),
  ),
  firstBuyPaysEnd: described('Whether the initial buy of a launch pays `endPercent`.', Type.Boolean()),
  shares: described('Who gets the fee on the curve.', Type.Object(feeShareFields)),
});

const LiquidityVestingSchema = Nullable(
  Type.Object({
    percent: described('Share of the liquidity, in percent.', PercentField),
    cliffSeconds: described('From the migration to the first release.', CountField),
    periods: described('Number of further releases.', CountField),
    periodSeconds: described('Time between releases.', CountField),
    bpsPerPeriod: described('Part that each of them releases, in basis points.', CountField),
  }),
);

const LiquiditySchema = Type.Object({
  creatorLockedPercent: described(
    'The part of the creator that is locked for ever, in percent of all.',
    PercentField,
  ),
  creatorUnlockedPercent: described(
    'The part of the creator that is free at once, in percent of all.',
    PercentField,
  ),
  creatorVesting: described(
    'The part of the creator that is released over time; null for nothing.',
    LiquidityVestingSchema,
  ),
  partnerLockedPercent: described(
    'The part of the operator that is locked for ever, in percent of all.',
    PercentField,
  ),
  partnerUnlockedPercent: described(
    'The part of the operator that is free at once, in percent of all.',
    PercentField,
  ),
  partnerVesting: described(
    'The part of the operator that is released over time; null for nothing.',
    LiquidityVestingSchema,
  ),
});

const MigrationSchema = Type.Object({
  venue: described('The AMM that the pool migrates to.', OneOf(['damm_v1', 'damm_v2'])),
  feeOption: described(
    'Whether the fee there is one of the fixed ones, or the own one of the config.',
    OneOf(['fixed', 'custom']),
  ),
  feePercent: described('Fee of a trade there, in percent; with a schedule its start.', DecimalStringField),
  hasDynamicFee: described(
    'Whether fast price moves add to that fee; null for a fixed fee, whose terms are the AMM’s.',
    Nullable(Type.Boolean()),
  ),
  feeFallsWithMarketCap: described(
    'Whether that fee falls as the market cap rises; null for a fixed fee.',
    Nullable(Type.Boolean()),
  ),
  migrationFeePercent: described(
    'Share of the raised SOL that the migration takes, in percent.',
    PercentField,
  ),
  creatorMigrationFeePercent: described('The creator’s share of that, in percent of it.', PercentField),
});

/** contract/launches#config-terms */
const TermsSchema = Named('LaunchTerms', {
  token: described(
    'The token that a launch creates.',
    Type.Object({
      standard: described('Token program of the mint.', OneOf(['spl_token', 'token_2022'])),
      decimals: described('Decimals of the mint.', CountField),
      totalSupply: described('Supply at the launch.', DecimalStringField),
      updateAuthority: described('Who may change the metadata of the mint.', OneOf(authorities)),
      mintAuthority: described(
        'Who may mint more: with somebody the supply is not final.',
        OneOf(authorities),
      ),
    }),
  ),
  curveSupply: described('Tokens that the curve sells until it is complete.', DecimalStringField),
  liquiditySupply: described('Tokens that the migration puts into the AMM pool.', DecimalStringField),
  startingPriceInSol: described(prices.launchStart.meaning, DecimalStringField),
  startingMarketCapInSol: described('That price times `totalSupply`.', DecimalStringField),
  graduationPriceInSol: described(prices.launchEnd.meaning, DecimalStringField),
  graduationMarketCapInSol: described('That price times `totalSupply`.', DecimalStringField),
  raiseInSol: described('SOL in the curve at which it is complete, without fees.', DecimalStringField),
  maximumInitialBuyRaw: described('The largest initial buy, in lamports, fee included.', IntStringField),
  tradingFee: described('Fee of trades on the curve.', TradingFeeSchema),
  vesting: described(
    'Tokens that the creator gets over time after the migration; null for none.',
    Nullable(
      Type.Object({
        total: described('All of them.', DecimalStringField),
        cliff: described('Those that the cliff releases.', DecimalStringField),
        cliffSeconds: described('From the migration to the cliff.', IntStringField),
        perPeriod: described('Those that each further period releases.', DecimalStringField),
        periods: described('Number of these periods.', IntStringField),
        periodSeconds: described('Length of a period.', IntStringField),
      }),
    ),
  ),
  migration: described('What follows a complete curve.', MigrationSchema),
  liquidity: described('Whose the liquidity of the AMM pool is, and how it is locked.', LiquiditySchema),
});
export type LaunchTerms = Static<typeof TermsSchema>;

const costFields = {
  rentLamports: described(
    'Rent of mint, metadata, pool and vaults; for Token-2022 that of the longest name and symbol.',
    IntStringField,
  ),
  metadataFeeLamports: described('Fee of the token metadata program.', IntStringField),
  signatureFeeLamports: described('Fee for the signatures of creator and mint.', IntStringField),
  poolCreationFeeLamports: described('Fee of the operator for a new pool.', IntStringField),
};

/** contract/launches#config-cost */
const CostSchema = Named('LaunchCost', {
  ...costFields,
  totalLamports: described('All of them, without priority and tip.', IntStringField),
});
export type LaunchCost = Static<typeof CostSchema>;

/** contract/launches#configs */
const LaunchConfigSchema = Named('LaunchConfig', {
  name: described('Name for `config` of `createLaunch`.', ConfigNameField),
  address: described('Config account of the bonding curve.', AddressField),
  isDefault: described('Whether launches that name no config get this one.', Type.Boolean()),
  status: described('Whether tokens can be launched under it now.', OneOf(['available', 'unavailable'])),
  unavailableReason: described(
    'Why not: no node shows the account, it is no config of the curve, or it is not quoted in SOL; null when available.',
    Nullable(OneOf(configFaults)),
  ),
  terms: described(
    'Its terms; null when unavailable, or when it has an option that this release does not know.',
    Nullable(TermsSchema),
  ),
  cost: described(
    'What the network takes for a launch without an initial buy; null when unavailable, or no node shows the rent.',
    Nullable(CostSchema),
  ),
});
export type LaunchConfigRecord = Static<typeof LaunchConfigSchema>;

export const LaunchConfigsSchema = Type.Object({
  data: described(
    'The configs in the order of the operator, the default first.',
    Type.Array(LaunchConfigSchema),
  ),
});
export type LaunchConfigList = Static<typeof LaunchConfigsSchema>;

export const ConfigPath = Type.Object({
  name: described('Name of the launch config.', ConfigNameField),
});

export const LaunchQuoteQuery = Type.Object({
  amountRaw: FirstBuyAmountField,
  slippageBps: Type.Optional(FirstBuySlippageField),
});

/** contract/launches#config-quote */
export const LaunchQuoteSchema = Named('LaunchQuote', {
  config: described('Name of the launch config.', ConfigNameField),
  configAddress: described('Config account of the bonding curve.', AddressField),
  amountRaw: FirstBuyAmountField,
  slippageBps: FirstBuySlippageField,
  amountOutRaw: described('Base units that the creator gets.', IntStringField),
  minimumOutRaw: described('Least base units that the program accepts.', IntStringField),
  fee: described(
    'Fee of the curve, included in the amounts.',
    Type.Object({
      paidIn: described(
        'What the fee is taken in: raw units of SOL, or of the token.',
        OneOf(['sol', 'token']),
      ),
      ratePercent: described('The fee, in percent.', DecimalStringField),
      totalRaw: described('Whole fee, raw units.', IntStringField),
      protocolRaw: described('Share of the program.', IntStringField),
      partnerRaw: described('Share of the operator.', IntStringField),
      creatorRaw: described('Share of the creator, who can claim it.', IntStringField),
    }),
  ),
  averagePriceInSol: described(prices.firstBuy.meaning, DecimalStringField),
  priceAfterInSol: described(prices.afterFirstBuy.meaning, DecimalStringField),
  marketCapAfterInSol: described('That price times the supply.', DecimalStringField),
  supplyPercent: described('Bought share of the supply, in percent.', DecimalStringField),
  completesCurve: described('Whether the buy is all that the curve sells.', Type.Boolean()),
  cost: described(
    'What the network takes for this launch.',
    Type.Object({
      ...costFields,
      tokenAccountRentLamports: described('Rent of the creator’s account for the token.', IntStringField),
      totalLamports: described('All of them, without the buy, priority and tip.', IntStringField),
      temporaryRentLamports: described(
        'Rent of the account for wrapped SOL, which comes back in the same transaction.',
        IntStringField,
      ),
    }),
  ),
});
export type LaunchQuote = Static<typeof LaunchQuoteSchema>;
