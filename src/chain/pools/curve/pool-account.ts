import { type ChainAccount, hasShape } from '../../accounts/account-data.ts';
import { accountLayout, type FieldsOf } from '../../accounts/account-layout.ts';
import { BONDING_CURVE } from '../../accounts/programs.ts';

const TRANSFER_HOOK_POOL = 'eddbb8172abda923';

// VirtualPool and TransferHookPool have the same fields (public IDL, program 0.2.1), checked against
// test/fixtures/dbc.
export const curvePoolShape = {
  program: BONDING_CURVE,
  discriminators: ['d5e005d16245775c', TRANSFER_HOOK_POOL],
  bytesMin: 8 + 416,
};

const stateFields = {
  lastUpdateTimestamp: [8, 'u64'],
  sqrtPriceReference: [24, 'u128'],
  volatilityAccumulator: [40, 'u128'],
  volatilityReference: [56, 'u128'],
  baseReserve: [232, 'u64'],
  quoteReserve: [240, 'u64'],
  protocolBaseFee: [248, 'u64'],
  protocolQuoteFee: [256, 'u64'],
  partnerBaseFee: [264, 'u64'],
  partnerQuoteFee: [272, 'u64'],
  sqrtPrice: [280, 'u128'],
  activationPoint: [296, 'u64'],
  poolType: [304, 'u8'],
  isMigrated: [305, 'u8'],
  isPartnerWithdrawSurplus: [306, 'u8'],
  isProtocolWithdrawSurplus: [307, 'u8'],
  migrationProgress: [308, 'u8'],
  isWithdrawLeftover: [309, 'u8'],
  isCreatorWithdrawSurplus: [310, 'u8'],
  migrationFeeWithdrawStatus: [311, 'u8'],
  totalProtocolBaseFee: [312, 'u64'],
  totalProtocolQuoteFee: [320, 'u64'],
  totalTradingBaseFee: [328, 'u64'],
  totalTradingQuoteFee: [336, 'u64'],
  finishCurveTimestamp: [344, 'u64'],
  creatorBaseFee: [352, 'u64'],
  creatorQuoteFee: [360, 'u64'],
  legacyCreationFeeBits: [368, 'u8'],
  creationFeeBits: [369, 'u8'],
  hasSwap: [370, 'u8'],
  protocolLiquidityMigrationFeeBps: [376, 'u16'],
  protocolMigrationBaseFee: [384, 'u64'],
  protocolMigrationQuoteFee: [392, 'u64'],
} as const;

/** Only the creator can change. Addresses have a layout of their own, because encoding them costs more than a quote. */
const keyFields = {
  config: [72, 'address'],
  creator: [104, 'address'],
  baseMint: [136, 'address'],
  baseVault: [168, 'address'],
  quoteVault: [200, 'address'],
} as const;

/** The numbers in a curve's pool account. Amounts are raw. */
export type CurvePool = FieldsOf<typeof stateFields>;

const state = accountLayout(curvePoolShape, stateFields);
const keys = accountLayout(curvePoolShape, keyFields);

/** Null when the account is no curve pool. */
export const readCurvePool = state.read;
/** Writes fields, such as those that a swap changes, into the bytes of a pool account. */
export const writeCurvePool = state.write;
export const readCurvePoolKeys = keys.read;
export const writeCurvePoolKeys = keys.write;

/** Whether transfers of the pool's token call a program of its mint. False when the account is no pool. */
export function hasTransferHook(account: ChainAccount | null): boolean {
  return account !== null && hasShape(account, { ...curvePoolShape, discriminators: [TRANSFER_HOOK_POOL] });
}
