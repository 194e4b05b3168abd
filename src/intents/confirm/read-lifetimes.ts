import { readNonce } from '../../chain/accounts/nonce-account.ts';
import { CLOCK_SYSVAR } from '../../chain/accounts/programs.ts';
import { readChainSeconds } from '../../chain/accounts/sysvars.ts';
import { type AccountsInSlot, getAccounts } from '../../chain/rpc/account-calls.ts';
import { isBlockhashValid } from '../../chain/rpc/blockhash-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { TransactionLifetime } from '../../chain/transaction-lifetime.ts';

const TIMEOUT_MS = 2_000;
/** Nonce accounts of one request; the clock takes one more place in it. */
export const NONCE_ACCOUNTS_MAX = 99;
/** Requests that run at the same time: one for each blockhash. */
const BLOCKHASHES_AT_ONCE = 16;
/** How far the chain's clock may differ from ours, in either direction. */
const CLOCK_DRIFT_SECONDS = 60;

/** An intent without a block height. */
export interface UntimedIntent {
  intentId: string;
  createdAt: Date;
  lifetime: TransactionLifetime;
}

/** A node's report about the blockhash or nonce of an intent. */
export interface LifetimeReading {
  contextSlot: bigint;
  /** No transaction with it can land from that slot on. */
  isOver: boolean;
}

/**
 * The lifetimes of intents at one node, by intent; intents that it does not report are left out. A node that
 * has not seen a blockhash or nonce yet answers as if it were over. Therefore a state counts only if it is
 * younger than the intent by the chain's own clock: the blockhash or nonce was on chain before the intent was
 * prepared.
 * @param intents at most `NONCE_ACCOUNTS_MAX`
 */
export async function readLifetimes(
  rpc: ChainRpc,
  intents: readonly UntimedIntent[],
  now: Date,
): Promise<ReadonlyMap<string, LifetimeReading>> {
  if (intents.length === 0) return new Map();
  const nonceAccounts = distinct(intents, ({ lifetime }) =>
    lifetime.kind === 'nonce' ? lifetime.nonceAccount : null,
  );
  const read = await getAccounts(rpc, [CLOCK_SYSVAR, ...nonceAccounts], TIMEOUT_MS);
  const chainSeconds = read.ok ? readChainSeconds(read.value.accounts.get(CLOCK_SYSVAR) ?? null) : null;
  if (!read.ok || chainSeconds === null || isAhead(chainSeconds, now)) return new Map();
  const young = intents.filter(({ createdAt }) => isYounger(chainSeconds, createdAt));
  const validities = await readValidities(rpc, young);
  return new Map(
    young.flatMap(({ intentId, lifetime }) => {
      const reading =
        lifetime.kind === 'nonce' ? nonceReading(lifetime, read.value) : validities.get(lifetime.blockhash);
      return reading === undefined ? [] : [[intentId, reading] as const];
    }),
  );
}

/**
 * Called after the clock was read, so that the answers are of its slot or a later one. After a group of
 * requests without any answer the node gets no more.
 */
async function readValidities(
  rpc: ChainRpc,
  intents: readonly UntimedIntent[],
): Promise<ReadonlyMap<string, LifetimeReading>> {
  const blockhashes = distinct(intents, ({ lifetime }) =>
    lifetime.kind === 'blockhash' ? lifetime.blockhash : null,
  );
  const readings = new Map<string, LifetimeReading>();
  for (let start = 0; start < blockhashes.length; start += BLOCKHASHES_AT_ONCE) {
    const known = readings.size;
    await Promise.all(
      blockhashes.slice(start, start + BLOCKHASHES_AT_ONCE).map(async (blockhash) => {
        const validity = await isBlockhashValid(rpc, blockhash, TIMEOUT_MS);
        if (!validity.ok) return;
        const { contextSlot, isValid } = validity.value;
        readings.set(blockhash, { contextSlot, isOver: !isValid });
      }),
    );
    if (readings.size === known) break;
  }
  return readings;
}

/**
 * A nonce never comes back: when the account holds another one, or none, no transaction with this nonce can
 * land.
 */
function nonceReading(
  { nonceAccount, nonce }: Extract<TransactionLifetime, { kind: 'nonce' }>,
  { slot, accounts }: AccountsInSlot,
): LifetimeReading | undefined {
  const account = accounts.get(nonceAccount);
  return account === undefined ? undefined : { contextSlot: slot, isOver: readNonce(account) !== nonce };
}

function isYounger(chainSeconds: bigint, createdAt: Date): boolean {
  return Number(chainSeconds) > createdAt.getTime() / 1_000 + CLOCK_DRIFT_SECONDS;
}

/** The time is false, or from another chain. */
function isAhead(chainSeconds: bigint, now: Date): boolean {
  return Number(chainSeconds) > now.getTime() / 1_000 + CLOCK_DRIFT_SECONDS;
}

function distinct(
  intents: readonly UntimedIntent[],
  pick: (intent: UntimedIntent) => string | null,
): string[] {
  return [...new Set(intents.map(pick).filter((value) => value !== null))];
}
