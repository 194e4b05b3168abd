import {
  BONDING_CURVE,
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
  TOKEN_METADATA,
} from '../../../../src/chain/accounts/programs.ts';
import { curveTerms } from '../../../../src/chain/pools/curve/curve-terms.ts';
import { writeCurvePool, writeCurvePoolKeys } from '../../../../src/chain/pools/curve/pool-account.ts';
import { pointOf } from '../../../../src/chain/pools/swap-request.ts';
import type { Address } from '../../../../src/shared/address.ts';
import { accountsOf, readonly, requireAccount, writable } from '../anchor/accounts.ts';
import { type Handler, sighash } from '../anchor/anchor-program.ts';
import type { ArgumentReader } from '../anchor/borsh.ts';
import { event } from '../cpi/invoke.ts';
import { topUpRent, transferLamports } from '../cpi/system-program.ts';
import {
  bytesWithMetadata,
  initializeMetadata,
  initializeMetadataPointer,
  POINTER_MINT_BYTES,
  type TokenMetadata,
  updateMetadataAuthority,
} from '../cpi/token-2022.ts';
import { createTokenMetadata, giveTokenMetadata } from '../cpi/token-metadata.ts';
import { authorityTypes, initializeMint, mintTokens, setAuthority } from '../cpi/token-program.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { requireLockedLiquidity, tokenTypes } from './config-rules.ts';
import { liquidityVestingsOf, MIGRATION_PROTOCOL_BPS, swapAmountWithBuffer } from './create-config.ts';
import {
  type ConfigState,
  curvePoolAuthority,
  loadConfig,
  requirePoolAuthority,
  vestingTotalRaw,
} from './curve-accounts.ts';
import { asCurveU64, requireCurve } from './curve-errors.ts';
import { requireLeastFee } from './fee-rules.ts';
import {
  createMint,
  createPoolAndVaults,
  type LaunchAccounts,
  launchHead,
  launchTail,
  POOL_BYTES,
} from './launch-accounts.ts';

const MINT_BYTES = 82;
/** Who may change the token's metadata, and who may mint more. */
const authorityOptions = {
  creator: 0,
  immutable: 1,
  partner: 2,
  creatorAndMint: 3,
  partnerAndMint: 4,
} as const;

export const initializePoolWithSplToken: Handler = function* (call, args) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    ...launchHead,
    mint_metadata: writable,
    metadata_program: readonly,
    ...launchTail,
  });
  const config = loadLaunchConfig(call, accounts, SPL_TOKEN);
  const { base_mint: mint, mint_metadata: metadata, metadata_program: metadataProgram } = accounts;
  requireAccount(metadataProgram.address === TOKEN_METADATA, 'ConstraintAddress', metadataProgram);
  const texts = readTexts(args);
  yield* createMint(call, accounts, MINT_BYTES);
  yield initializeMint(SPL_TOKEN, mint.address, config.tokenDecimal, curvePoolAuthority.address, null);
  yield* createPoolAndVaults(call, accounts);
  const supply = checkedSupply(config, tokenTypes.splToken);
  yield { kind: 'log', message: 'create token metadata' };
  const owner = updateAuthority(config, accounts.creator.address);
  const { address } = metadata;
  const isMutable = config.tokenUpdateAuthority !== authorityOptions.immutable;
  yield createTokenMetadata(
    address,
    mint.address,
    curvePoolAuthority,
    accounts.payer.address,
    texts,
    isMutable,
  );
  yield giveTokenMetadata(address, curvePoolAuthority, owner ?? SYSTEM_PROGRAM);
  yield* mintAndOpen(call, accounts, config, supply, tokenTypes.splToken);
};

export const initializePoolWithToken2022: Handler = function* (call, args) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    ...launchHead,
    ...launchTail,
  });
  const config = loadLaunchConfig(call, accounts, TOKEN_2022);
  const { creator } = accounts;
  const mint = accounts.base_mint.address;
  const texts = readTexts(args);
  const authority = curvePoolAuthority.address;
  yield* createMint(call, accounts, POINTER_MINT_BYTES);
  yield initializeMetadataPointer(mint, authority, mint);
  yield initializeMint(TOKEN_2022, mint, config.tokenDecimal, authority, null);
  yield* createPoolAndVaults(call, accounts);
  const supply = checkedSupply(config, tokenTypes.token2022);
  yield initializeMetadata(mint, creator.address, curvePoolAuthority, texts);
  yield* topUpRent(call, accounts.payer.address, mint, bytesWithMetadata(POINTER_MINT_BYTES, texts));
  const owner = updateAuthority(config, creator.address);
  yield setAuthority(TOKEN_2022, mint, authorityTypes.metadataPointer, owner, curvePoolAuthority);
  yield updateMetadataAuthority(mint, creator.address, owner);
  yield* mintAndOpen(call, accounts, config, supply, tokenTypes.token2022);
};

function readTexts(args: ArgumentReader): TokenMetadata {
  return { name: args.string(), symbol: args.string(), uri: args.string() };
}

function loadLaunchConfig(call: ProgramCall, accounts: LaunchAccounts, tokenProgram: string): ConfigState {
  const config = loadConfig(call, accounts.config);
  requireAccount(accounts.quote_mint.address === config.quoteMint, 'ConstraintHasOne', accounts.config);
  requirePoolAuthority(accounts.pool_authority);
  requireAccount(accounts.token_program.address === tokenProgram, 'InvalidProgramId', accounts.token_program);
  const { system_program: system } = accounts;
  requireAccount(system.address === SYSTEM_PROGRAM, 'InvalidProgramId', system);
  return config;
}

/** The supply to mint. Fails when the config does not allow a launch with this kind of token. */
function checkedSupply(config: ConfigState, tokenType: number): bigint {
  requireLockedLiquidity(
    [config.partnerPermanentLockedLiquidityPercent, config.creatorPermanentLockedLiquidityPercent],
    liquidityVestingsOf(config),
  );
  requireLeastFee(curveTerms(config).leastBaseNumerator);
  requireCurve(config.tokenType === tokenType, 'InvalidTokenType');
  if (config.fixedTokenSupplyFlag === 1) return config.preMigrationTokenSupply;
  const sold = swapAmountWithBuffer(config.swapBaseAmount, config.sqrtStartPrice, config.curve);
  return asCurveU64(sold + config.migrationBaseThreshold + vestingTotalRaw(config));
}

function updateAuthority(config: ConfigState, creator: string): string | null {
  switch (config.tokenUpdateAuthority) {
    case authorityOptions.immutable:
      return null;
    case authorityOptions.partner:
    case authorityOptions.partnerAndMint:
      return config.feeClaimer;
    default:
      return creator;
  }
}

function mintAuthority(config: ConfigState, creator: string): string | null {
  if (config.tokenUpdateAuthority === authorityOptions.creatorAndMint) return creator;
  return config.tokenUpdateAuthority === authorityOptions.partnerAndMint ? config.feeClaimer : null;
}

/** Mints the supply into the vault, gives the mint authority away, takes the creation fee, and opens the pool. */
function* mintAndOpen(
  call: ProgramCall,
  accounts: LaunchAccounts,
  config: ConfigState,
  supply: bigint,
  poolType: number,
): Generator<Effect, void, void> {
  const { base_mint: mint, base_vault: vault, creator, pool, token_program: tokenProgram } = accounts;
  yield mintTokens(tokenProgram.address, mint.address, vault.address, supply, curvePoolAuthority);
  const next = mintAuthority(config, creator.address);
  yield setAuthority(tokenProgram.address, mint.address, authorityTypes.mintTokens, next, curvePoolAuthority);
  if (config.poolCreationFee > 0n)
    yield transferLamports(accounts.payer.address, pool.address, config.poolCreationFee);
  const activationPoint = pointOf(call.clock, config.activationType);
  const data = new Uint8Array(POOL_BYTES);
  data.set(sighash('account', 'VirtualPool'));
  writeCurvePoolKeys(data, {
    config: accounts.config.address as Address,
    creator: creator.address as Address,
    baseMint: mint.address as Address,
    baseVault: vault.address as Address,
    quoteVault: accounts.quote_vault.address as Address,
  });
  writeCurvePool(data, {
    sqrtPrice: config.sqrtStartPrice,
    poolType,
    activationPoint,
    baseReserve: supply,
    protocolLiquidityMigrationFeeBps: MIGRATION_PROTOCOL_BPS,
  });
  yield { kind: 'write', account: pool.index, offset: 0, bytes: data };
  yield event(BONDING_CURVE, 'EvtInitializePool', (to) =>
    to
      .address(pool.address, accounts.config.address, creator.address, mint.address)
      .u8(poolType)
      .u64(activationPoint),
  );
}
