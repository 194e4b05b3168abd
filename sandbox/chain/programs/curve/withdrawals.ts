import { BONDING_CURVE } from '../../../../src/chain/accounts/programs.ts';
import { migrationProgress } from '../../../../src/chain/accounts/virtual-pool.ts';
import type { CurvePool } from '../../../../src/chain/pools/curve/pool-account.ts';
import {
  accountsOf,
  type NamedAccounts,
  readonly,
  readonlyTokens,
  requireAccount,
  signer,
  stateOf,
  tokenAccount,
  tokenInterface,
  writableStateOf,
} from '../anchor/accounts.ts';
import type { Handler } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { loadTokenAccount, requireVault } from '../token-state.ts';
import { associatedAddress } from '../treasury.ts';
import { SURPLUS_PERCENT } from './claims.ts';
import {
  type ConfigState,
  isComplete,
  loadConfig,
  loadPool,
  type PoolState,
  payOut,
  requirePoolAccounts,
  requirePoolAuthority,
  savePool,
  unclaimedBaseRaw,
} from './curve-accounts.ts';
import { requireCurve } from './curve-errors.ts';
import { splitThreshold } from './migrated-liquidity.ts';

/** Bits of the status of the migration fee. */
const PARTNER_TOOK_FEE = 0b100;
const CREATOR_TOOK_FEE = 0b010;
const FLAG_PARTNER = 0;
const FLAG_CREATOR = 1;

const surplusDemands = {
  pool_authority: readonly,
  config: stateOf('PoolConfig'),
  virtual_pool: writableStateOf('VirtualPool'),
  token_quote_account: tokenAccount,
  quote_vault: tokenAccount,
  quote_mint: readonlyTokens,
} as const;
const rest = { token_quote_program: tokenInterface, event_authority: readonly, program: readonly } as const;
type WithdrawalAccounts = NamedAccounts<typeof surplusDemands & typeof rest>;

function loadCompleted(
  call: ProgramCall,
  accounts: WithdrawalAccounts,
): { config: ConfigState; pool: PoolState } {
  requirePoolAuthority(accounts.pool_authority);
  const config = loadConfig(call, accounts.config);
  requireAccount(accounts.quote_mint.address === config.quoteMint, 'ConstraintHasOne', accounts.config);
  const pool = loadPool(call, accounts.virtual_pool);
  const { quote_vault, config: given } = accounts;
  requirePoolAccounts(pool, accounts.virtual_pool, { quote_vault, config: given });
  requireVault(call, quote_vault, accounts.quote_mint, accounts.token_quote_program);
  return { config, pool };
}

function* payQuote(
  call: ProgramCall,
  accounts: WithdrawalAccounts,
  change: Partial<CurvePool>,
  amount: bigint,
): Generator<Effect, void, void> {
  yield* savePool(call, accounts.virtual_pool, change);
  const { quote_vault: vault, quote_mint: mint, token_quote_account: to } = accounts;
  yield payOut(call, { vault, mint, to, tokenProgram: accounts.token_quote_program }, amount);
}

/** The creator's and the partner's parts of the reserve's surplus over the threshold. */
function surplusParts(config: ConfigState, pool: PoolState): { creator: bigint; partner: bigint } {
  const shared = ((pool.quoteReserve - config.migrationQuoteThreshold) * SURPLUS_PERCENT) / 100n;
  const creator = (shared * BigInt(config.creatorTradingFeePercent)) / 100n;
  return { creator, partner: shared - creator };
}

export const partnerWithdrawSurplus: Handler = function* (call) {
  const accounts = accountsOf(call, BONDING_CURVE, { ...surplusDemands, fee_claimer: signer, ...rest });
  const { config, pool } = loadCompleted(call, accounts);
  requireCurve(accounts.fee_claimer.address === config.feeClaimer, 'Unauthorized');
  requireCurve(isComplete(pool, config), 'NotPermitToDoThisAction');
  requireCurve(pool.isPartnerWithdrawSurplus === 0, 'SurplusHasBeenWithdraw');
  const { partner } = surplusParts(config, pool);
  yield* payQuote(call, accounts, { isPartnerWithdrawSurplus: 1 }, partner);
  yield event(BONDING_CURVE, 'EvtPartnerWithdrawSurplus', (to) =>
    to.address(accounts.virtual_pool.address).u64(partner),
  );
};

export const creatorWithdrawSurplus: Handler = function* (call) {
  const accounts = accountsOf(call, BONDING_CURVE, { ...surplusDemands, creator: signer, ...rest });
  const { config, pool } = loadCompleted(call, accounts);
  requireCurve(accounts.creator.address === pool.creator, 'Unauthorized');
  requireCurve(isComplete(pool, config), 'NotPermitToDoThisAction');
  requireCurve(pool.isCreatorWithdrawSurplus === 0, 'SurplusHasBeenWithdraw');
  const { creator } = surplusParts(config, pool);
  yield* payQuote(call, accounts, { isCreatorWithdrawSurplus: 1 }, creator);
  yield event(BONDING_CURVE, 'EvtCreatorWithdrawSurplus', (to) =>
    to.address(accounts.virtual_pool.address).u64(creator),
  );
};

export const withdrawMigrationFee: Handler = function* (call, args) {
  const accounts = accountsOf(call, BONDING_CURVE, { ...surplusDemands, sender: signer, ...rest });
  const { config, pool } = loadCompleted(call, accounts);
  requireCurve(isComplete(pool, config), 'NotPermitToDoThisAction');
  const flag = args.u8();
  requireCurve(flag === FLAG_PARTNER || flag === FLAG_CREATOR, 'TypeCastFailed');
  const isPartner = flag === FLAG_PARTNER;
  const entitled = isPartner ? config.feeClaimer : pool.creator;
  requireCurve(accounts.sender.address === entitled, 'NotPermitToDoThisAction');
  const bit = isPartner ? PARTNER_TOOK_FEE : CREATOR_TOOK_FEE;
  requireCurve((pool.migrationFeeWithdrawStatus & bit) === 0, 'MigrationFeeHasBeenWithdraw');
  const { fee: whole } = splitThreshold(config.migrationQuoteThreshold, config.migrationFeePercent);
  const creator = (whole * BigInt(config.creatorMigrationFeePercent)) / 100n;
  const fee = isPartner ? whole - creator : creator;
  const migrationFeeWithdrawStatus = pool.migrationFeeWithdrawStatus | bit;
  yield* payQuote(call, accounts, { migrationFeeWithdrawStatus }, fee);
  yield event(BONDING_CURVE, 'EvtWithdrawMigrationFee', (to) =>
    to.address(accounts.virtual_pool.address).u64(fee).u8(flag),
  );
};

export const withdrawLeftover: Handler = function* (call) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    pool_authority: readonly,
    config: stateOf('PoolConfig'),
    virtual_pool: writableStateOf('VirtualPool'),
    token_base_account: tokenAccount,
    base_vault: tokenAccount,
    base_mint: readonlyTokens,
    leftover_receiver: readonly,
    token_base_program: tokenInterface,
    event_authority: readonly,
    program: readonly,
  });
  requirePoolAuthority(accounts.pool_authority);
  const config = loadConfig(call, accounts.config);
  const { leftover_receiver: receiver, base_mint, base_vault, token_base_account: to } = accounts;
  requireAccount(receiver.address === config.leftoverReceiver, 'ConstraintHasOne', accounts.config);
  const pool = loadPool(call, accounts.virtual_pool);
  requirePoolAccounts(pool, accounts.virtual_pool, { base_mint, base_vault, config: accounts.config });
  const { token_base_program: program } = accounts;
  const expected = associatedAddress(receiver.address, base_mint.address, program.address);
  requireAccount(to.address === expected, 'ConstraintAssociated', to);
  requireVault(call, base_vault, base_mint, program);
  requireCurve(pool.migrationProgress === migrationProgress.migrated, 'NotPermitToDoThisAction');
  requireCurve(config.fixedTokenSupplyFlag === 1, 'NotPermitToDoThisAction');
  requireCurve(pool.isWithdrawLeftover === 0, 'LeftoverHasBeenWithdraw');
  const { amount: held } = loadTokenAccount(call, base_vault);
  const leftover = held - unclaimedBaseRaw(pool) - pool.protocolMigrationBaseFee;
  requireCurve(leftover >= 0n, 'MathOverflow');
  yield* savePool(call, accounts.virtual_pool, { isWithdrawLeftover: 1 });
  yield payOut(call, { vault: base_vault, mint: base_mint, to, tokenProgram: program }, leftover);
  yield event(BONDING_CURVE, 'EvtWithdrawLeftover', (writer) =>
    writer.address(accounts.virtual_pool.address, receiver.address).u64(leftover),
  );
};
