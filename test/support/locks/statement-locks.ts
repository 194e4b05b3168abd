import { countSecrets, countSignedOrders } from '../../../src/admin/re-encrypt.ts';
import { advisoryLocks } from '../../../src/db/advisory-lock.ts';
import { keepSecretKeys, requireSecretKeys } from '../../../src/db/secret-keys.ts';
import { createRecovery } from '../../../src/features/operations/recovery/create-recovery.ts';
import { requireLease } from '../../../src/features/operations/runner/lease-rows.ts';
import { holdOpenRound } from '../../../src/features/predictions/rounds/hold-open-round.ts';
import { voidRound } from '../../../src/features/predictions/rounds/void-round.ts';
import { setEndpointStatus } from '../../../src/features/webhooks/endpoints/set-endpoint-status.ts';
import { readFollowed } from '../../../src/indexer/followed/read-followed.ts';
import { lockForTrades } from '../../../src/indexer/store/write-locks.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { behindTheLock, inTransaction, type LockWait } from './lock-wait.ts';

const ofEndpoint = (call: string, statement: RegExp, run: LockWait['run']): LockWait => ({
  call,
  statement,
  hold: (transaction, { endpointId }) =>
    transaction`select from webhook_endpoints where id = ${endpointId} for no key update`,
  run,
});

const ofSecretKeys = (call: string, run: LockWait['run']): LockWait => ({
  call,
  statement: /^select pg_advisory_xact_lock\(\$1\)$/,
  hold: (transaction) => transaction`select pg_advisory_xact_lock(${advisoryLocks.secretKeys})`,
  run,
});

const ofRound = (call: string, statement: RegExp, run: LockWait['run']): LockWait => ({
  call,
  statement,
  hold: (transaction, { roundId }) =>
    transaction`select from prediction_rounds where id = ${roundId} for no key update`,
  run,
});

const keys = { secretKey: Buffer.alloc(32, 1), secretKeyPrevious: [] };
const count: LockWait['run'] = (db) =>
  countSecrets(db, { secrets: behindTheLock, orders: behindTheLock }, () => {});

/** Functions that lock in a statement of their own, as `listLockStatements` names them. */
export const statementLocks: readonly LockWait[] = [
  ofEndpoint(
    'src/admin/re-encrypt.ts reEncryptEndpoints',
    /from webhook_endpoints where .* for no key update$/,
    count,
  ),
  {
    call: 'src/admin/re-encrypt.ts reEncryptResponses',
    statement: /from idempotency_records where .* for no key update$/,
    // The first transaction is of the endpoints.
    transactionNumber: 2,
    hold: (transaction, { accountId }) =>
      transaction`select from idempotency_records where account_id = ${accountId} for no key update`,
    run: count,
  },
  {
    call: 'src/admin/re-encrypt.ts reEncryptOrders',
    statement: /from order_transactions where .* for no key update$/,
    hold: (transaction, { orders }) =>
      transaction`select from order_transactions where order_id = ${orders.open} for no key update`,
    run: (db) => countSignedOrders(db, behindTheLock),
  },
  ofSecretKeys('src/db/secret-keys.ts requireSecretKeys', (db) => requireSecretKeys(db, keys, 'seal')),
  ofSecretKeys('src/db/secret-keys.ts keepSecretKeys', (db) => keepSecretKeys(db, keys)),
  ofEndpoint(
    'src/features/operations/recovery/create-recovery.ts createRecovery',
    /from webhook_endpoints where .* for no key update$/,
    inTransaction((transaction, { accountId, endpointId }) =>
      createRecovery(
        transaction,
        { caller: { accountId, scopes: [] }, endpointId, request: { since: new Date().toISOString() } },
        systemClock,
      ),
    ),
  ),
  ofEndpoint(
    'src/features/webhooks/endpoints/set-endpoint-status.ts setEndpointStatus',
    /from webhook_endpoints where id = \$1 for update$/,
    inTransaction((transaction, { endpointId }) =>
      setEndpointStatus(transaction, endpointId, 'disabled', behindTheLock),
    ),
  ),
  {
    call: 'src/features/operations/runner/lease-rows.ts requireLease',
    statement: /from operations where .* for no key update$/,
    hold: (transaction, { lease }) =>
      transaction`select from operations where id = ${lease.id} for no key update`,
    run: inTransaction((transaction, { lease }) => requireLease(transaction, lease)),
  },
  ofRound(
    'src/features/predictions/rounds/hold-open-round.ts holdOpenRound',
    /from prediction_rounds where .* for share$/,
    inTransaction((transaction, { roundId }) => holdOpenRound(transaction, roundId, new Date())),
  ),
  ofRound(
    'src/features/predictions/rounds/void-round.ts voidRound',
    /from prediction_rounds where id = \$1 for update$/,
    inTransaction((transaction, { roundId }) =>
      voidRound(transaction, behindTheLock, behindTheLock, roundId),
    ),
  ),
  {
    call: 'src/indexer/followed/read-followed.ts readFollowed',
    statement: /^select pg_advisory_xact_lock_shared\(\$1\)$/,
    hold: (transaction) => transaction`select pg_advisory_xact_lock(${advisoryLocks.tradeFollowers})`,
    run: inTransaction((transaction) => readFollowed(transaction, behindTheLock)),
  },
  {
    call: 'src/indexer/store/write-locks.ts shareReversalLock',
    statement: /^select pg_advisory_xact_lock_shared\(\$1\)$/,
    hold: (transaction) => transaction`select pg_advisory_xact_lock(${advisoryLocks.tradeReversal})`,
    run: inTransaction((transaction, { mint }) => lockForTrades(transaction, [mint])),
  },
];
