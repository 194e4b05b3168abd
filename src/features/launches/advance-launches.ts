import type { ChainHeadSource } from '../../chain/head.ts';
import { witnessesOf } from '../../chain/node-trust/witnesses.ts';
import type { LaunchedPool } from '../../chain/pools/curve/launched-pool.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { isDatabaseAway } from '../../db/failure.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { type ExpectedPool, POOLS_MAX, type PoolReading, readPools } from './read-pools.ts';
import { type LaunchEnd, type LaunchFacts, launchEnd } from './state.ts';

/** The effect of a launch on its token. */
export type TokenOutcome =
  | { status: 'bonding'; poolAddress: string; launchedAt: Date | null; pool: LaunchedPool | null }
  | { status: 'failed' | 'expired' };

/**
 * Dependencies of advancing launches. Functions that change tokens are passed in, because tokens belong to
 * another feature.
 */
export interface LaunchesContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  rpcs: readonly ChainRpc[];
  chainHead: ChainHeadSource;
  log: Logger;
  listLaunchToken(transaction: Transaction, mintAddress: string): Promise<boolean>;
  settleLaunchToken(
    transaction: Transaction,
    outbox: Outbox,
    clock: Clock,
    mintAddress: string,
    outcome: TokenOutcome,
  ): Promise<void>;
  /** Called after a commit. */
  onTokensChanged(mintAddresses: readonly string[]): void;
}

interface PendingLaunch extends ExpectedPool {
  id: string;
  intentStatus: LaunchFacts['intent']['status'];
  errorCode: string | null;
  lastValidBlockHeight: bigint | null;
}

/** The position of a worker in the launches that wait for an end. It checks them in turn. */
export interface LaunchTurn {
  /** The last launch that was checked; null at the beginning. */
  afterId: string | null;
}

/**
 * Lists tokens whose wallets have signed, and ends launches whose end is visible on chain. Launches take
 * turns, so that those without a visible end delay no others. Any number of workers may run at once: the
 * first to commit decides. True when there is more to do now: something changed, or the turn is not over.
 */
export async function advanceLaunches(context: LaunchesContext, turn: LaunchTurn): Promise<boolean> {
  const published = await publishSignedTokens(context);
  const pending = await listEnding(context.db, turn.afterId);
  const ended = pending.length === 0 ? 0 : await endPending(context, pending);
  turn.afterId = pending.length < POOLS_MAX ? null : (pending.at(-1)?.id ?? null);
  return published + ended > 0 || turn.afterId !== null;
}

/** Returns the number of launches that ended. */
async function endPending(context: LaunchesContext, pending: readonly PendingLaunch[]): Promise<number> {
  const head = context.chainHead.current();
  const readings = await readPools(context.rpcs, context.chainHead, pending);
  let ended = 0;
  for (const [at, launch] of pending.entries()) {
    const reading = readings[at];
    if (reading === undefined) continue;
    const end = launchEnd({
      poolExists: poolExists(reading, launch, context.rpcs.length),
      intent: { status: launch.intentStatus, errorCode: launch.errorCode },
      windowIsClosed:
        head !== null &&
        launch.lastValidBlockHeight !== null &&
        head.blockHeight > launch.lastValidBlockHeight,
    });
    if (end !== null && (await tryToEnd(context, launch, end, reading))) ended += 1;
  }
  return ended;
}

/** A confirmed intent needs one node that shows the pool; anything else needs two, if there are two. */
function poolExists(
  { present, absent }: PoolReading,
  { intentStatus }: PendingLaunch,
  nodes: number,
): boolean | null {
  const witnesses = witnessesOf(nodes);
  if (present >= (intentStatus === 'confirmed' ? 1 : witnesses)) return true;
  return present === 0 && absent >= witnesses ? false : null;
}

/** SQL: a launch has not ended. */
export function isLaunchPending(db: Database): ReturnType<Database> {
  return db`exists (select from launches where status = 'pending_launch_init')`;
}

/** Lists the tokens of launches whose wallets have signed. Returns their number. */
async function publishSignedTokens({
  db,
  listLaunchToken,
  onTokensChanged,
}: LaunchesContext): Promise<number> {
  const signed = await db<{ mintAddress: string }[]>`
    select l.mint_address from launches l
    join transaction_intents i on i.id = l.intent_id join tokens t on t.mint_address = l.mint_address
    where l.status = 'pending_launch_init' and i.status in ('submitted', 'confirmed', 'failed') and not t.listed
    order by l.created_at limit ${POOLS_MAX}`;
  const mints = signed.map(({ mintAddress }) => mintAddress);
  for (const mint of mints) await db.begin((transaction) => listLaunchToken(transaction, mint));
  if (mints.length > 0) onTokensChanged(mints);
  return mints.length;
}

/** Launches whose intents have ended, in the order in which they were prepared. */
async function listEnding(db: Database, afterId: string | null): Promise<PendingLaunch[]> {
  return db<PendingLaunch[]>`
    select l.id, l.mint_address, l.config_address, l.pool_address, i.status as intent_status,
      i.error_code, i.last_valid_block_height
    from launches l join transaction_intents i on i.id = l.intent_id
    where l.status = 'pending_launch_init' and i.status in ('confirmed', 'failed', 'expired')
      ${afterId === null ? db`` : db`and l.id > ${afterId}::uuid`}
    order by l.id limit ${POOLS_MAX}`;
}

/** A launch that cannot be ended delays no other. */
async function tryToEnd(
  context: LaunchesContext,
  launch: PendingLaunch,
  end: LaunchEnd,
  reading: PoolReading,
): Promise<boolean> {
  try {
    return await endLaunch(context, launch, end, reading);
  } catch (err) {
    if (isDatabaseAway(err)) throw err;
    context.log.error({ launchId: launch.id, end, err }, 'launch.failed_to_end');
    return false;
  }
}

/** Ends launch and token and adds the event, in one transaction. False when another worker was first. */
async function endLaunch(
  { db, outbox, clock, settleLaunchToken, onTokensChanged }: LaunchesContext,
  { id, mintAddress, poolAddress }: PendingLaunch,
  end: LaunchEnd,
  { createdAt: launchedAt, pool }: PoolReading,
): Promise<boolean> {
  const outcome: TokenOutcome =
    end === 'bonding' ? { status: end, poolAddress, launchedAt, pool } : { status: end };
  const isEnded = await db.begin(async (transaction) => {
    const rows = await transaction`
      update launches set status = ${end}, completed_at = ${clock.now()}
      where id = ${id} and status = 'pending_launch_init' returning 1`;
    if (rows.length === 0) return false;
    await settleLaunchToken(transaction, outbox, clock, mintAddress, outcome);
    return true;
  });
  if (isEnded) onTokensChanged([mintAddress]);
  return isEnded;
}
