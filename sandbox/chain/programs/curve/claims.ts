import { BONDING_CURVE } from '../../../../src/chain/accounts/programs.ts';
import type { CurvePool } from '../../../../src/chain/pools/curve/pool-account.ts';
import {
  accountsOf,
  type NamedAccount,
  type NamedAccounts,
  readonly,
  readonlyTokens,
  requireAccount,
  signer,
  stateOf,
  tokenAccount,
  tokenInterface,
  writable,
  writableStateOf,
} from '../anchor/accounts.ts';
import type { Handler } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { lesser } from '../pool-numbers.ts';
import { requireVault } from '../token-state.ts';
import { isPermitted, isTreasuryAccount } from '../treasury.ts';
import {
  isComplete,
  loadConfig,
  loadPool,
  type PoolState,
  payOut,
  requirePoolAccounts,
  requirePoolAuthority,
  savePool,
} from './curve-accounts.ts';
import { requireCurve } from './curve-errors.ts';

const CLAIM_PROTOCOL_FEE = 0;
/** Percentage of the surplus over the threshold that partner and creator share. */
export const SURPLUS_PERCENT = 80n;

const vaultsAndMints = {
  base_vault: tokenAccount,
  quote_vault: tokenAccount,
  base_mint: readonlyTokens,
  quote_mint: readonlyTokens,
} as const;
const claimHead = {
  pool: writableStateOf('VirtualPool'),
  token_a_account: tokenAccount,
  token_b_account: tokenAccount,
  ...vaultsAndMints,
} as const;
const tail = {
  token_base_program: tokenInterface,
  token_quote_program: tokenInterface,
  event_authority: readonly,
  program: readonly,
} as const;

type Sides = NamedAccounts<typeof vaultsAndMints & typeof tail>;
type ClaimAccounts = NamedAccounts<typeof claimHead & typeof tail>;

export const claimTradingFee: Handler = function* (call, args) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    pool_authority: readonly,
    config: stateOf('PoolConfig'),
    ...claimHead,
    fee_claimer: signer,
    ...tail,
  });
  requirePoolAuthority(accounts.pool_authority);
  const config = loadConfig(call, accounts.config);
  requireAccount(accounts.quote_mint.address === config.quoteMint, 'ConstraintHasOne', accounts.config);
  const pool = claimedPool(call, accounts, accounts.config);
  requireCurve(accounts.fee_claimer.address === config.feeClaimer, 'Unauthorized');
  const base = lesser(pool.partnerBaseFee, args.u64());
  const quote = lesser(pool.partnerQuoteFee, args.u64());
  const change = {
    partnerBaseFee: pool.partnerBaseFee - base,
    partnerQuoteFee: pool.partnerQuoteFee - quote,
  };
  yield* payClaim(call, accounts, change, base, quote, 'EvtClaimTradingFee');
};

export const claimCreatorTradingFee: Handler = function* (call, args) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    pool_authority: readonly,
    ...claimHead,
    creator: signer,
    ...tail,
  });
  requirePoolAuthority(accounts.pool_authority);
  const pool = claimedPool(call, accounts);
  requireCurve(accounts.creator.address === pool.creator, 'Unauthorized');
  const base = lesser(pool.creatorBaseFee, args.u64());
  const quote = lesser(pool.creatorQuoteFee, args.u64());
  const change = {
    creatorBaseFee: pool.creatorBaseFee - base,
    creatorQuoteFee: pool.creatorQuoteFee - quote,
  };
  yield* payClaim(call, accounts, change, base, quote, 'EvtClaimCreatorTradingFee');
};

function claimedPool(
  call: ProgramCall,
  accounts: Sides & { readonly pool: NamedAccount },
  config?: NamedAccount,
): PoolState {
  const pool = loadPool(call, accounts.pool);
  const { base_vault, quote_vault, base_mint } = accounts;
  const given = { base_vault, quote_vault, base_mint, ...(config === undefined ? {} : { config }) };
  requirePoolAccounts(pool, accounts.pool, given);
  requireVault(call, base_vault, base_mint, accounts.token_base_program);
  requireVault(call, quote_vault, accounts.quote_mint, accounts.token_quote_program);
  return pool;
}

/** Pays a claim out in both tokens, also when an amount is 0, and books it. */
function* payClaim(
  call: ProgramCall,
  accounts: ClaimAccounts,
  change: Partial<CurvePool>,
  base: bigint,
  quote: bigint,
  eventName: string,
): Generator<Effect, void, void> {
  yield* savePool(call, accounts.pool, change);
  yield payOut(call, { ...baseSide(accounts), to: accounts.token_a_account }, base);
  yield payOut(call, { ...quoteSide(accounts), to: accounts.token_b_account }, quote);
  yield event(BONDING_CURVE, eventName, (to) => to.address(accounts.pool.address).u64(base, quote));
}

function baseSide(accounts: Sides) {
  return { vault: accounts.base_vault, mint: accounts.base_mint, tokenProgram: accounts.token_base_program };
}

function quoteSide(accounts: Sides) {
  return {
    vault: accounts.quote_vault,
    mint: accounts.quote_mint,
    tokenProgram: accounts.token_quote_program,
  };
}

export const claimProtocolFee: Handler = function* (call, args) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    pool_authority: readonly,
    config: stateOf('PoolConfig'),
    pool: writableStateOf('VirtualPool'),
    ...vaultsAndMints,
    token_base_account: writable,
    token_quote_account: writable,
    operator: stateOf('Operator'),
    signer,
    ...tail,
  });
  requirePoolAuthority(accounts.pool_authority);
  const config = loadConfig(call, accounts.config);
  requireAccount(accounts.quote_mint.address === config.quoteMint, 'ConstraintHasOne', accounts.config);
  const pool = claimedPool(call, accounts, accounts.config);
  const isAllowed = isPermitted(call, BONDING_CURVE, accounts.operator, accounts.signer, CLAIM_PROTOCOL_FEE);
  requireCurve(isAllowed, 'InvalidPermission');
  const claim = protocolClaim(
    pool,
    isComplete(pool, config),
    config.migrationQuoteThreshold,
    args.u64(),
    args.u64(),
  );
  yield* savePool(call, accounts.pool, claim.after);
  const sides = [
    { ...baseSide(accounts), to: accounts.token_base_account, amount: claim.base },
    { ...quoteSide(accounts), to: accounts.token_quote_account, amount: claim.quote },
  ];
  for (const { amount, ...side } of sides) {
    if (amount === 0n) continue;
    const { to, mint, tokenProgram } = side;
    requireCurve(isTreasuryAccount(to.address, mint.address, tokenProgram.address), 'IncorrectATA');
    yield payOut(call, side, amount);
  }
  yield event(BONDING_CURVE, 'EvtClaimProtocolFee', (to) =>
    to.address(accounts.pool.address).u64(claim.base, claim.quote),
  );
};

/** Trading fees first, then the fee of the migration; the surplus comes with the first claim after completion. */
function protocolClaim(
  pool: PoolState,
  isFinished: boolean,
  threshold: bigint,
  maxBase: bigint,
  maxQuote: bigint,
): { base: bigint; quote: bigint; after: Partial<CurvePool> } {
  const baseFee = lesser(pool.protocolBaseFee, maxBase);
  const baseMigration = lesser(pool.protocolMigrationBaseFee, maxBase - baseFee);
  const quoteFee = lesser(pool.protocolQuoteFee, maxQuote);
  const quoteMigration = lesser(pool.protocolMigrationQuoteFee, maxQuote - quoteFee);
  const takesSurplus = isFinished && pool.isProtocolWithdrawSurplus === 0;
  const total = pool.quoteReserve - threshold;
  const surplus = takesSurplus ? total - (total * SURPLUS_PERCENT) / 100n : 0n;
  return {
    base: baseFee + baseMigration,
    quote: quoteFee + quoteMigration + surplus,
    after: {
      protocolBaseFee: pool.protocolBaseFee - baseFee,
      protocolMigrationBaseFee: pool.protocolMigrationBaseFee - baseMigration,
      protocolQuoteFee: pool.protocolQuoteFee - quoteFee,
      protocolMigrationQuoteFee: pool.protocolMigrationQuoteFee - quoteMigration,
      ...(takesSurplus ? { isProtocolWithdrawSurplus: 1 } : {}),
    },
  };
}
