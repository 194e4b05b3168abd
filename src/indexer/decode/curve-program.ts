import { createHash } from 'node:crypto';

/** The one account of an event instruction: only the program can sign for it, so nobody else can emit events. */
export const EVENT_AUTHORITY = '8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF';
export const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112';

/** Bytes before the event's own discriminator when a program calls itself to emit one (reference/solana#curve-events). */
export const EVENT_PREFIX = 'e445a52e51cb9a1d';

/** Accounts of `swap`, `swap2` and `swap2_with_transfer_hook`, by position. */
export const swapAccounts = { pool: 2, baseMint: 7, quoteMint: 8, payer: 9 } as const;

/** Hex of the first eight bytes that name an instruction or an event: SHA-256 of a namespace and the name. */
function discriminator(namespace: 'global' | 'event', name: string): string {
  return createHash('sha256').update(`${namespace}:${name}`).digest('hex').slice(0, 16);
}

const instructions = (...names: string[]): ReadonlySet<string> =>
  new Set(names.map((name) => discriminator('global', name)));
export const swapInstructions = instructions('swap', 'swap2', 'swap2_with_transfer_hook');
/** Each ends the life of a curve: the pool of the other program exists when it has succeeded. */
export const migrationInstructions = instructions('migration_damm_v2', 'migrate_meteora_damm');

/** What the indexer makes of an event. */
export type EventMeaning = 'swap' | 'legacy_swap' | 'curve_complete' | 'pool_created' | 'irrelevant';

const meanings: Readonly<Record<Exclude<EventMeaning, 'irrelevant'>, readonly string[]>> = {
  swap: ['EvtSwap2', 'EvtSwap2WithTransferHook'],
  legacy_swap: ['EvtSwap'],
  curve_complete: ['EvtCurveComplete', 'EvtCurveCompleteWithTransferHook'],
  pool_created: ['EvtInitializePool', 'EvtInitializePoolWithTransferHook'],
};

/** Events up to program 0.2.1 that say nothing about trades; any other name is reported as unknown. */
const irrelevant: readonly string[] = [
  'EvtClaimCreatorTradingFee',
  'EvtClaimProtocolFee',
  'EvtClaimProtocolFee2',
  'EvtClaimProtocolLiquidityMigrationFee',
  'EvtClaimTradingFee',
  'EvtCloseClaimFeeOperator',
  'EvtCreateClaimFeeOperator',
  'EvtCreateConfig',
  'EvtCreateConfigV2',
  'EvtCreateDammV2MigrationMetadata',
  'EvtCreateMeteoraMigrationMetadata',
  'EvtCreatorWithdrawSurplus',
  'EvtPartnerClaimPoolCreationFee',
  'EvtPartnerMetadata',
  'EvtPartnerWithdrawMigrationFee',
  'EvtPartnerWithdrawSurplus',
  'EvtProtocolWithdrawSurplus',
  'EvtUpdatePoolCreator',
  'EvtVirtualPoolMetadata',
  'EvtWithdrawLeftover',
  'EvtWithdrawMigrationFee',
];

/** Meaning of each known event, by the hex of its discriminator. */
export const eventMeanings: ReadonlyMap<string, EventMeaning> = new Map(
  Object.entries({ ...meanings, irrelevant }).flatMap(([meaning, names]) =>
    names.map((name) => [discriminator('event', name), meaning as EventMeaning] as const),
  ),
);
