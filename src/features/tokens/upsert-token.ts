import type { LaunchedPool } from '../../chain/pools/curve/launched-pool.ts';
import type { Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { type CreatorLinks, normaliseImageUrl, normaliseLinks } from '../../shared/token-links.ts';
import { lockLaunch, sendLaunchEvents } from './launch-rows.ts';
import type { LaunchType, TokenStatus } from './record.ts';
import { stateAfterReport } from './state.ts';

/**
 * A source's report about a token (contract/tokens#registration). An absent optional field keeps its stored
 * value; null clears it. Amounts are DecimalStrings, already checked. Decimals and supply count until the
 * mint account was read, the creator until the pool was.
 */
export interface ReportedToken {
  mintAddress: string;
  creatorWallet: string;
  name: string;
  symbol: string;
  description?: string | null | undefined;
  imageUrl?: string | null | undefined;
  decimals: number;
  totalSupply: string;
  launchType: LaunchType;
  status: TokenStatus;
  launchedAt?: string | null | undefined;
  links?: CreatorLinks | null | undefined;
  poolAddress?: string | null | undefined;
  /** Token accounts of staking and tokenomics (contract/supply#vaults). */
  stakingVaults?: readonly string[] | null | undefined;
  tokenomicsVaults?: readonly string[] | null | undefined;
  /** Fixed once reported. */
  predictionsEnabled?: boolean | undefined;
  /** Also sends events from before the registration (contract/ingest#quiet-registration). */
  announce?: boolean | undefined;
}

export interface UpsertOutcome {
  created: boolean;
  /** Names of the launch events that were sent. */
  events: string[];
}

/**
 * Stores a token and sends its launch events, all in the caller's transaction. Idempotent: a repeated report
 * changes and sends nothing more. A hidden token sends no events (contract/tokens#visibility). Throws the
 * driver's error when another token has the pool address.
 *
 * @param pool result of `findReportedPool`
 */
export async function upsertToken(
  transaction: Transaction,
  outbox: Outbox,
  clock: Clock,
  token: ReportedToken,
  pool: LaunchedPool | null = null,
): Promise<UpsertOutcome> {
  const now = clock.now();
  const { mintAddress, announce = false } = token;
  const previous = await lockLaunch(transaction, mintAddress);
  const launchedAt = token.launchedAt == null ? null : new Date(token.launchedAt);
  const hasPool = token.poolAddress === undefined ? previous?.hasPool === true : token.poolAddress !== null;
  const next = stateAfterReport(previous, { status: token.status, launchedAt, hasPool }, now);
  const announcing = announce ? { announceHistory: true } : {};
  const columns = { ...reportedColumns(token), ...next, ...announcing };
  if (previous === null) await insertToken(transaction, token, columns, now);
  else await updateToken(transaction, token, columns, now);
  const events = await sendLaunchEvents(transaction, outbox, mintAddress, previous, next, announce, pool);
  return { created: previous === null, events };
}

type Columns = Record<string, string | number | boolean | Date | string[] | null>;

/** The columns that a report sets; absent fields are left out. */
function reportedColumns(token: ReportedToken): Columns {
  const { name, symbol, launchType } = token;
  const columns: Columns = { name, symbol, launchType };
  if (token.description !== undefined) columns.description = token.description;
  if (token.imageUrl !== undefined) columns.imageUrl = normaliseImageUrl(token.imageUrl ?? '');
  if (token.poolAddress !== undefined) columns.poolAddress = token.poolAddress;
  if (token.stakingVaults !== undefined) columns.stakingVaults = vaultsOf(token.stakingVaults);
  if (token.tokenomicsVaults !== undefined) columns.tokenomicsVaults = vaultsOf(token.tokenomicsVaults);
  if (token.links !== undefined) Object.assign(columns, normaliseLinks(token.links ?? {}));
  return columns;
}

function vaultsOf(vaults: readonly string[] | null): string[] | null {
  return vaults === null ? null : [...vaults];
}

async function insertToken(
  transaction: Transaction,
  { mintAddress, creatorWallet, predictionsEnabled, decimals, totalSupply }: ReportedToken,
  columns: Columns,
  now: Date,
): Promise<void> {
  const predictions = predictionsEnabled === undefined ? {} : { predictionsEnabled };
  const supply = { decimals, totalSupply };
  const row = {
    mintAddress,
    creatorWallet,
    ...columns,
    ...supply,
    ...predictions,
    createdAt: now,
    updatedAt: now,
  };
  await transaction`insert into tokens ${transaction(row)}`;
  await transaction`insert into token_markets (mint_address, as_of) values (${mintAddress}, ${now})`;
}

async function updateToken(
  transaction: Transaction,
  { mintAddress, creatorWallet, predictionsEnabled, decimals, totalSupply }: ReportedToken,
  columns: Columns,
  now: Date,
): Promise<void> {
  await transaction`
    update tokens set ${transaction({ ...columns, updatedAt: now })},
      creator_wallet = case when creator_slot is null then ${creatorWallet} else creator_wallet end,
      decimals = case when mint_slot is null then ${decimals} else decimals end,
      total_supply = case when mint_slot is null then ${totalSupply} else total_supply end,
      predictions_enabled = coalesce(predictions_enabled, ${predictionsEnabled ?? null})
    where mint_address = ${mintAddress}`;
}
