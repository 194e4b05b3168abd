import { advisoryLocks } from '../../../src/db/advisory-lock.ts';
import { advanceLaunch } from '../../../src/features/tokens/advance-launch.ts';
import { lockLaunch } from '../../../src/features/tokens/launch-rows.ts';
import { settleLaunchToken } from '../../../src/features/tokens/settle-launch.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { applyBalances } from '../../../src/indexer/holders/apply-balances.ts';
import { countNext } from '../../../src/indexer/holders/count-holders.ts';
import { storeSnapshot } from '../../../src/indexer/holders/store-snapshot.ts';
import { applyHolderCounts } from '../../../src/indexer/ingest/kinds/token-facts.ts';
import { storeChainFees } from '../../../src/indexer/store/chain-fees.ts';
import { storeFeeClaimables } from '../../../src/indexer/store/fee-claimables.ts';
import { distributeClaims } from '../../../src/indexer/store/fee-claims.ts';
import { storeFeeDistributions } from '../../../src/indexer/store/fee-distributions.ts';
import { rewriteMarkets } from '../../../src/indexer/store/markets-after-reversal.ts';
import { storeMintFacts } from '../../../src/indexer/store/mint-facts.ts';
import { recountQueuedTraders } from '../../../src/indexer/store/recount-traders.ts';
import { storeStakingPositions } from '../../../src/indexer/store/staking-positions.ts';
import { storeReversals } from '../../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../../src/indexer/store/trades.ts';
import { lockForTrades } from '../../../src/indexer/store/write-locks.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { balanceTransaction } from '../holders/balance-transaction.ts';
import { tokenMessage } from '../market/ingest-stream.ts';
import { numberedTrade } from '../market/market-arbitraries.ts';
import { silentLog } from '../processes/worker-context.ts';
import type { LockGround } from './lock-ground.ts';
import { behindTheLock, inTransaction, type LockWait } from './lock-wait.ts';

/** Waits for the row of the token, which no foreign key of another row waits for. */
const ofToken = (
  call: string,
  run: LockWait['run'],
  transactionNumber = 1,
  statement = /from tokens where mint_address = any\(\$1\) order by mint_address for no key update/,
): LockWait => ({
  call,
  statement,
  transactionNumber,
  hold: (transaction, { mint }) =>
    transaction`select from tokens where mint_address = ${mint} for no key update`,
  run,
});

/** Waits for the lock of the mint, which is there before its token. */
const ofMint = (call: string, run: LockWait['run']): LockWait => ({
  call,
  statement: /pg_advisory_xact_lock\(hashtextextended\(\$1, 0\)\)/,
  hold: (transaction, { mint }) =>
    transaction`select pg_advisory_xact_lock(hashtextextended(${`token:${mint}`}, 0))`,
  run,
});

const snapshotOf = ({ mint }: LockGround) => ({
  slot: 5n,
  at: new Date(),
  protocolAccounts: [],
  accountCount: 1,
  accounts: new Map([[`account of ${mint}`, { owner: 'owner', amountRaw: 1n }]]),
  holderCount: null,
});
const store: LockWait['run'] = (db, ground) => storeSnapshot(db, ground.mint, snapshotOf(ground), new Date());

export const tokenLocks: readonly LockWait[] = [
  ofToken('src/indexer/holders/apply-balances.ts applyBalances lockTokens', (db, { mint }) =>
    applyBalances(
      { db, clock: systemClock, onTokensChanged: behindTheLock },
      { transactions: [balanceTransaction(mint, 7n, 0, { account: 'account', owner: 'owner', after: 1n })] },
    ),
  ),
  ofToken('src/indexer/holders/count-holders.ts replayTrades lockTokens', (db) =>
    countNext({
      db,
      sources: [],
      chainHead: behindTheLock,
      clock: systemClock,
      log: silentLog,
      signal: new AbortController().signal,
      onTokensChanged: behindTheLock,
    }),
  ),
  ofToken('src/indexer/holders/store-snapshot.ts begin lockRow', store),
  ofToken('src/indexer/holders/store-snapshot.ts lockRow lockTokens', store),
  ofToken('src/indexer/holders/store-snapshot.ts withTokenLocked lockTokens', store, 2),
  ofToken('src/indexer/holders/store-snapshot.ts storeSnapshot lockRow', store, 3),
  ofToken('src/indexer/ingest/kinds/token-facts.ts applyTokenFacts lockTokens', (db, { mint }) =>
    applyHolderCounts({ db } as never, [{ mintAddress: mint } as never]),
  ),
  ofToken(
    'src/indexer/store/fee-claims.ts distributeClaims lockTokens',
    inTransaction((transaction, { mint }) =>
      distributeClaims(transaction, behindTheLock, behindTheLock, [mint]),
    ),
  ),
  ofToken(
    'src/indexer/store/write-locks.ts lockForTrades lockTokens',
    inTransaction((transaction, { mint }) => lockForTrades(transaction, [mint])),
  ),
  ofToken(
    'src/indexer/store/staking-positions.ts storeStakingPositions lockTokens',
    inTransaction((transaction, { mint }) =>
      storeStakingPositions(transaction, [{ mintAddress: mint } as never]),
    ),
  ),
  ofToken(
    'src/indexer/store/fee-distributions.ts storeFeeDistributions lockTokens',
    inTransaction((transaction, { mint }) =>
      storeFeeDistributions(transaction, behindTheLock, behindTheLock, [{ mintAddress: mint } as never]),
    ),
  ),
  ofToken(
    'src/indexer/store/trades.ts storeTrades lockForTrades',
    inTransaction((transaction, { mint }) => storeTrades(transaction, [numberedTrade(mint, 1)])),
  ),
  ofToken('src/indexer/store/recount-traders.ts recountQueuedTraders lockForTrades', recountQueuedTraders),
  ofToken(
    'src/indexer/store/markets-after-reversal.ts rewriteMarkets lockTokens',
    inTransaction((transaction, { mint }) => rewriteMarkets(transaction, [{ mintAddress: mint } as never])),
  ),
  ofToken(
    'src/indexer/store/mint-facts.ts storeMintFacts lockTokens',
    inTransaction((transaction, { mint }) =>
      storeMintFacts(transaction, [{ mintAddress: mint, decimals: 6, supplyRaw: 1n, slot: 1n }], new Date()),
    ),
  ),
  ofToken(
    'src/indexer/store/chain-fees.ts storeChainFees lockTokens',
    inTransaction((transaction, { mint }) =>
      storeChainFees(transaction, [], [{ mintAddress: mint } as never], new Date()),
    ),
  ),
  ofToken(
    'src/indexer/store/fee-claimables.ts storeFeeClaimables lockTokens',
    inTransaction((transaction, { mint }) =>
      storeFeeClaimables(transaction, [{ mintAddress: mint } as never]),
    ),
  ),
  {
    call: 'src/indexer/store/trade-reversals.ts storeReversals lockForReversal',
    statement: /select pg_advisory_xact_lock\(/,
    hold: (transaction) => transaction`select pg_advisory_xact_lock_shared(${advisoryLocks.tradeReversal})`,
    run: inTransaction((transaction) => storeReversals(transaction, [], new Date())),
  },
  ofMint('src/features/tokens/advance-launch.ts advanceLaunch lockLaunch', (db, { mint }) =>
    advanceLaunch({ db } as never, mint, { stage: 'completed', at: null } as never),
  ),
  ofMint(
    'src/features/tokens/settle-launch.ts settleLaunchToken lockMint',
    inTransaction((transaction, { mint }) =>
      settleLaunchToken(transaction, behindTheLock, behindTheLock, mint, behindTheLock),
    ),
  ),
  ofMint(
    'src/features/tokens/upsert-token.ts upsertToken lockLaunch',
    inTransaction((transaction, { mint }) =>
      upsertToken(transaction, behindTheLock, systemClock, tokenMessage(mint) as never),
    ),
  ),
  ofMint(
    'src/features/tokens/launch-rows.ts lockLaunch lockMint',
    inTransaction((transaction, { mint }) => lockLaunch(transaction, mint)),
  ),
  ofToken(
    'src/features/tokens/launch-rows.ts lockLaunch lockMint',
    inTransaction((transaction, { mint }) => lockLaunch(transaction, mint)),
    1,
    /from tokens where mint_address = \$1 for update/,
  ),
];
