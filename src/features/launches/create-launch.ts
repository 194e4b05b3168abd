import { lockAccount } from '../../db/account-lock.ts';
import type { Transaction } from '../../db/client.ts';
import type { IntentKeeper } from '../../intents/composed-intent.ts';
import type { Clock } from '../../shared/clock.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';
import type { TokenLinks } from '../../shared/token-links.ts';
import type { PreparedLaunch } from './prepare-launch.ts';
import type { LaunchRow } from './record.ts';

const OPEN_MAX = unpublishedLimits.openLaunchesPerAccount;

/** The token of a new launch. */
export interface AnnouncedToken {
  mintAddress: string;
  creatorWallet: string;
  name: string;
  symbol: string;
  description: string | null;
  imageUrl: string | null;
  links: TokenLinks;
  decimals: number;
  totalSupply: string;
}

export interface CreationDependencies {
  clock: Clock;
  intentKeeper: IntentKeeper;
  /** Stores the token as `pending_launch_init`; passed in, because tokens belong to another feature. */
  insertLaunchToken(transaction: Transaction, token: AnnouncedToken, now: Date): Promise<void>;
}

/** Stores token, intent and launch in the caller's transaction. Throws `launch_limit_reached`. */
export async function createLaunch(
  transaction: Transaction,
  prepared: PreparedLaunch,
  { clock, intentKeeper, insertLaunchToken }: CreationDependencies,
): Promise<LaunchRow> {
  const { accountId, creatorWallet, texts, mintAddress, configName, configAddress, poolAddress, initialBuy } =
    prepared;
  if ((await countOpenLocked(transaction, accountId)) >= OPEN_MAX)
    throw new Problem('launch_limit_reached', { context: { limit: OPEN_MAX } });
  const now = clock.now();
  const { decimals, totalSupply } = prepared;
  await insertLaunchToken(transaction, { mintAddress, creatorWallet, ...texts, decimals, totalSupply }, now);
  await intentKeeper.store(transaction, prepared.intent);
  const { links, ...named } = texts;
  const row = {
    id: prepared.launchId,
    accountId,
    intentId: prepared.intent.id,
    mintAddress,
    status: 'pending_launch_init' as const,
    creatorWallet,
    ...named,
    ...links,
    metadataUrl: prepared.metadataUrl,
    configName,
    configAddress,
    poolAddress,
    buyLamports: initialBuy?.amountRaw ?? null,
    buySlippageBps: initialBuy?.slippageBps ?? null,
    buyOutRaw: initialBuy?.amountOutRaw ?? null,
    buyMinimumOutRaw: initialBuy?.minimumOutRaw ?? null,
    tipLamports: prepared.sending.tipLamports,
    createdAt: now,
    completedAt: null,
  };
  await transaction`insert into launches ${transaction(row)}`;
  return { ...row, transactionSignature: null, errorCode: null, errorDetail: null };
}

/** Launches of the account that have not ended; no other transaction can add one until this one ends. */
async function countOpenLocked(transaction: Transaction, accountId: string): Promise<number> {
  await lockAccount(transaction, accountId);
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::int as count from launches
    where account_id = ${accountId} and status = 'pending_launch_init'`;
  return row?.count ?? 0;
}
