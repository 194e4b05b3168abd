import type { Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { type CreatorLinks, normaliseImageUrl, normaliseLinks } from '../../shared/token-links.ts';
import { type LaunchType, type TokenRow, type TokenStatus, tokenColumns, toToken } from './record.ts';
import { type LaunchState, launchEvents, nextLaunchState } from './state.ts';

/**
 * A token as its source reports it (contract/tokens#registration). An optional field that is left out keeps what is stored; null clears it.
 * Amounts are DecimalStrings, already checked. Decimals and supply count until the mint account was read.
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
  /** Fixed once reported. */
  predictionsEnabled?: boolean | undefined;
}

export interface UpsertOutcome {
  created: boolean;
  /** Names of the launch events that were sent. */
  events: string[];
}

/**
 * Stores a token and sends its launch events, all in the caller's transaction. Idempotent: the same report twice
 * changes and sends nothing more. A hidden token sends no events (contract/tokens#visibility). Throws the driver's error when another
 * token has the pool address.
 */
export async function upsertToken(
  transaction: Transaction,
  outbox: Outbox,
  clock: Clock,
  token: ReportedToken,
): Promise<UpsertOutcome> {
  const now = clock.now();
  const previous = await lockToken(transaction, token.mintAddress);
  const launchedAt = token.launchedAt == null ? null : new Date(token.launchedAt);
  const next = nextLaunchState(previous, { status: token.status, launchedAt }, now);
  const columns = { ...reportedColumns(token), ...next };
  if (previous === null) await insertToken(transaction, token, columns, now);
  else await updateToken(transaction, token, columns, now);
  const events = previous?.hidden === true ? [] : launchEvents(previous, next);
  if (events.length > 0) {
    const data = await readToken(transaction, token.mintAddress);
    for (const name of events) {
      await outbox.append(transaction, { name, subject: token.mintAddress, accountId: null, data });
    }
  }
  return { created: previous === null, events };
}

/** Serialises changes of one token until the end of the transaction, also of a mint that has no row yet. */
export async function lockMint(transaction: Transaction, mintAddress: string): Promise<void> {
  await transaction`select pg_advisory_xact_lock(hashtextextended(${`token:${mintAddress}`}, 0))`;
}

/** Locks the mint and reads what is stored. */
async function lockToken(
  transaction: Transaction,
  mintAddress: string,
): Promise<(LaunchState & { hidden: boolean }) | null> {
  await lockMint(transaction, mintAddress);
  const [row] = await transaction<(LaunchState & { hidden: boolean })[]>`
    select status, launched_at, graduated_at, hidden from tokens where mint_address = ${mintAddress} for update`;
  return row ?? null;
}

type Columns = Record<string, string | number | Date | null>;

/** The columns that a report sets; what it leaves out is absent. */
function reportedColumns(token: ReportedToken): Columns {
  const { creatorWallet, name, symbol, launchType } = token;
  const columns: Columns = { creatorWallet, name, symbol, launchType };
  if (token.description !== undefined) columns.description = token.description;
  if (token.imageUrl !== undefined) columns.imageUrl = normaliseImageUrl(token.imageUrl ?? '');
  if (token.poolAddress !== undefined) columns.poolAddress = token.poolAddress;
  if (token.links !== undefined) Object.assign(columns, normaliseLinks(token.links ?? {}));
  return columns;
}

async function insertToken(
  transaction: Transaction,
  { mintAddress, predictionsEnabled, decimals, totalSupply }: ReportedToken,
  columns: Columns,
  now: Date,
): Promise<void> {
  const predictions = predictionsEnabled === undefined ? {} : { predictionsEnabled };
  const supply = { decimals, totalSupply };
  const row = { mintAddress, ...columns, ...supply, ...predictions, createdAt: now, updatedAt: now };
  await transaction`insert into tokens ${transaction(row)}`;
  await transaction`insert into token_markets (mint_address, as_of) values (${mintAddress}, ${now})`;
}

async function updateToken(
  transaction: Transaction,
  { mintAddress, predictionsEnabled, decimals, totalSupply }: ReportedToken,
  columns: Columns,
  now: Date,
): Promise<void> {
  await transaction`
    update tokens set ${transaction({ ...columns, updatedAt: now })},
      decimals = case when mint_slot is null then ${decimals} else decimals end,
      total_supply = case when mint_slot is null then ${totalSupply} else total_supply end,
      predictions_enabled = coalesce(predictions_enabled, ${predictionsEnabled ?? null})
    where mint_address = ${mintAddress}`;
}

async function readToken(transaction: Transaction, mintAddress: string) {
  const [row] = await transaction<TokenRow[]>`
    select ${tokenColumns(transaction)}
    from tokens t left join token_markets m using (mint_address) where t.mint_address = ${mintAddress}`;
  if (row === undefined) throw new Error(`token ${mintAddress} vanished inside its own transaction`);
  return toToken(row);
}
