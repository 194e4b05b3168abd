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
  'Lamports to spend, including the fee.',
  Type.String({ pattern: '^[1-9][0-9]{0,19}$', examples: ['100000000'] }),
);

export const FirstBuySlippageField = described(
  'How far the price may move against the creator before the buy is refused, in basis points.',
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
    'How the fee changes from start to end. `rate_limiter` adds a surcharge to large buys for a time.',
    OneOf(['constant', 'linear', 'exponential', 'rate_limiter']),
  ),
  unit: described('Unit of the lengths in the schedule.', OneOf(['seconds', 'slots'])),
  steps: described('Number of steps; 0 if the fee does not change.', CountField),
  stepLength: described('Length of one step.', IntStringField),
  duration: described('Time from the opening of the pool to the last step.', IntStringField),
  rateLimiter: described(
    'The surcharge on large buys while `duration` lasts; null if the schedule is another one.',
    Nullable(
      Type.Object({
        referenceInSol: described('Buys up to this amount pay `startPercent`.', DecimalStringField),
        incrementPercent: described(
          'Added to the fee for each further amount of that size, in percent.',
          DecimalStringField,
        ),
        maximumPercent: described('The highest fee, in percent.', DecimalStringField),
      }),
    ),
  ),
  dynamicMaximumPercent: described(
    'Maximum that fast price moves add to the fee, in percent; null if they add nothing.',
    Nullable(DecimalStringField),
  ),
  paidIn: described(
    'Currency of the fee: always SOL, or whatever the trade pays out.',
    OneOf(['sol', 'output']),
  ),
  firstBuyPaysEnd: described('Whether the initial buy of a launch pays only `endPercent`.', Type.Boolean()),
  shares: described('How the fee on the curve is divided.', Type.Object(feeShareFields)),
});

const LiquidityVestingSchema = Nullable(
  Type.Object({
    percent: described('Share of the liquidity, in percent.', PercentField),
    cliffSeconds: described('Time from the migration to the first release.', CountField),
    periods: described('Number of further releases.', CountField),
    periodSeconds: described('Time between releases.', CountField),
    bpsPerPeriod: described('Part that each release frees, in basis points.', CountField),
  }),
);

const LiquiditySchema = Type.Object({
  creatorLockedPercent: described(
    'Part of all liquidity that belongs to the creator and is locked for ever, in percent.',
    PercentField,
  ),
  creatorUnlockedPercent: described(
    'Part of all liquidity that belongs to the creator and is free at once, in percent.',
    PercentField,
  ),
  creatorVesting: described(
    'The creator’s liquidity that is released over time; null if there is none.',
    LiquidityVestingSchema,
  ),
  partnerLockedPercent: described(
    'Part of all liquidity that belongs to the operator and is locked for ever, in percent.',
    PercentField,
  ),
  partnerUnlockedPercent: described(
    'Part of all liquidity that belongs to the operator and is free at once, in percent.',
    PercentField,
  ),
  partnerVesting: described(
    'The operator’s liquidity that is released over time; null if there is none.',
    LiquidityVestingSchema,
  ),
});

const MigrationSchema = Type.Object({
  venue: described('The AMM that the pool migrates to.', OneOf(['damm_v1', 'damm_v2'])),
  feeOption: described(
    'Whether the AMM pool has one of the fixed fees, or a fee that the config sets.',
    OneOf(['fixed', 'custom']),
  ),
  feePercent: described(
    'Fee of a trade in the AMM pool, in percent. If the fee follows a schedule, this is its start.',
    DecimalStringField,
  ),
  hasDynamicFee: described(
    'Whether fast price moves add to that fee; null for a fixed fee, whose terms the AMM sets.',
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
  creatorMigrationFeePercent: described('The creator’s share of that amount, in percent.', PercentField),
});

/** contract/launches#config-terms */
export const TermsSchema = Named('LaunchTerms', {
  token: described(
    'The token that a launch creates.',
    Type.Object({
      standard: described('Token program of the mint.', OneOf(['spl_token', 'token_2022'])),
      decimals: described('Decimals of the mint.', CountField),
      totalSupply: described('Supply at the launch.', DecimalStringField),
      updateAuthority: described('Who may change the metadata of the mint.', OneOf(authorities)),
      mintAuthority: described(
        'Who may mint more tokens. If anybody may, the supply is not final.',
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
  raiseInSol: described('SOL that the curve holds when it is complete, without fees.', DecimalStringField),
  maximumInitialBuyRaw: described('The largest initial buy, in lamports, including the fee.', IntStringField),
  tradingFee: described('Fee of trades on the curve.', TradingFeeSchema),
  vesting: described(
    'Tokens that the creator gets over time after the migration; null if there are none.',
    Nullable(
      Type.Object({
        total: described('All of them.', DecimalStringField),
        cliff: described('Number of tokens that the cliff releases.', DecimalStringField),
        cliffSeconds: described('Time from the migration to the cliff.', IntStringField),
        perPeriod: described('Number of tokens that each further period releases.', DecimalStringField),
        periods: described('Number of these periods.', IntStringField),
        periodSeconds: described('Length of a period.', IntStringField),
      }),
    ),
  ),
  migration: described('What happens when the curve is complete.', MigrationSchema),
  liquidity: described('Who owns the liquidity of the AMM pool, and how it is locked.', LiquiditySchema),
});
export type LaunchTerms = Static<typeof TermsSchema>;

const costFields = {
  rentLamports: described(
    'Rent of mint, metadata, pool and vaults. For Token-2022 it is computed for the longest name and symbol.',
    IntStringField,
  ),
  metadataFeeLamports: described('Fee of the token metadata program.', IntStringField),
  signatureFeeLamports: described('Fee for the signatures of creator and mint.', IntStringField),
  poolCreationFeeLamports: described('Fee of the operator for a new pool.', IntStringField),
};

/** contract/launches#config-cost */
const CostSchema = Named('LaunchCost', {
  ...costFields,
  totalLamports: described('Total of these costs, without priority fee and tip.', IntStringField),
});
export type LaunchCost = Static<typeof CostSchema>;

/** contract/launches#configs */
const LaunchConfigSchema = Named('LaunchConfig', {
  name: described('Name for `config` of `createLaunch`.', ConfigNameField),
  address: described('Config account of the bonding curve.', AddressField),
  isDefault: described('Whether launches that name no config use this one.', Type.Boolean()),
  status: described(
    'Whether tokens can be launched with this config now.',
    OneOf(['available', 'unavailable']),
  ),
  unavailableReason: described(
    'Why tokens cannot be launched with it: no node shows the account, the account is not a config of the curve, or the config is not quoted in SOL; null if it is available.',
    Nullable(OneOf(configFaults)),
  ),
  terms: described(
    'The terms of the config; null if it is unavailable, or has an option that this release does not know.',
    Nullable(TermsSchema),
  ),
  cost: described(
    'Network costs of a launch without an initial buy; null if the config is unavailable or no node reports the rent.',
    Nullable(CostSchema),
  ),
});
export type LaunchConfigRecord = Static<typeof LaunchConfigSchema>;

export const LaunchConfigsSchema = Type.Object({
  data: described(
    'The configs in the order that the operator set. The first one is the default.',
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
  minimumOutRaw: described('Smallest number of base units that the program accepts.', IntStringField),
  fee: described(
    'Fee of the curve, included in the amounts.',
    Type.Object({
      paidIn: described('Currency of the fee: raw units of SOL, or of the token.', OneOf(['sol', 'token'])),
      ratePercent: described('The fee, in percent.', DecimalStringField),
      totalRaw: described('Total fee, in raw units.', IntStringField),
      protocolRaw: described('Share of the program.', IntStringField),
      partnerRaw: described('Share of the operator.', IntStringField),
      creatorRaw: described('Share of the creator, who can claim it.', IntStringField),
    }),
  ),
  averagePriceInSol: described(prices.firstBuy.meaning, DecimalStringField),
  priceAfterInSol: described(prices.afterFirstBuy.meaning, DecimalStringField),
  marketCapAfterInSol: described('That price times the supply.', DecimalStringField),
  supplyPercent: described('Bought share of the supply, in percent.', DecimalStringField),
  completesCurve: described('Whether the buy takes everything that the curve sells.', Type.Boolean()),
  cost: described(
    'Network costs of this launch.',
    Type.Object({
      ...costFields,
      tokenAccountRentLamports: described('Rent of the creator’s account for the token.', IntStringField),
      totalLamports: described(
        'Total of these costs, without the buy, the priority fee and the tip.',
        IntStringField,
      ),
      temporaryRentLamports: described(
        'Rent of the account for wrapped SOL. It is returned in the same transaction.',
        IntStringField,
      ),
    }),
  ),
});
export type LaunchQuote = Static<typeof LaunchQuoteSchema>;
