import { recordImage } from '../../../src/features/images/record-image.ts';
import { createLaunch } from '../../../src/features/launches/create-launch.ts';
import { createExport } from '../../../src/features/operations/audience/create-export.ts';
import { cancelOperation } from '../../../src/features/operations/cancel-operation.ts';
import { endManually, reportProgress } from '../../../src/features/operations/run-manually.ts';
import { finish } from '../../../src/features/operations/runner/settle.ts';
import { advancePresales } from '../../../src/features/presales/advance-presales.ts';
import { recordMovements } from '../../../src/features/presales/record-movements.ts';
import { replayDelivery } from '../../../src/features/webhooks/deliveries/replay-delivery.ts';
import { changeEndpoint } from '../../../src/features/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '../../../src/features/webhooks/endpoints/create-endpoint.ts';
import { deleteEndpoint } from '../../../src/features/webhooks/endpoints/delete-endpoint.ts';
import { rotateSecret } from '../../../src/features/webhooks/endpoints/rotate-secret.ts';
import { lockEndpoint, lockOwnEndpoint } from '../../../src/features/webhooks/endpoints/rows.ts';
import { submitIntent } from '../../../src/intents/submit/submit-intent.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { movementOf } from '../market/presales.ts';
import type { LockGround } from './lock-ground.ts';
import { behindTheLock, inTransaction, type LockWait } from './lock-wait.ts';

/** Waits for the row of the account, which no foreign key of another row waits for. */
export const ofAccount = (call: string, run: LockWait['run']): LockWait => ({
  call,
  statement: /from accounts where id = \$1 for no key update$/,
  hold: (transaction, { accountId }) =>
    transaction`select from accounts where id = ${accountId} for no key update`,
  run,
});

const ofOperation = (call: string, run: LockWait['run']): LockWait => ({
  call,
  statement: /from operations o .* for update of o$/,
  hold: (transaction, { operationId }) =>
    transaction`select from operations where id = ${operationId} for no key update`,
  run,
});

const ofPresale = (call: string, statement: RegExp, run: LockWait['run']): LockWait => ({
  call,
  statement,
  hold: (transaction, { presaleId }) =>
    transaction`select from presales where id = ${presaleId} for no key update`,
  run,
});

const ofEndpoint = (call: string, run: LockWait['run']): LockWait => ({
  call,
  statement: /from webhook_endpoints .* for no key update$/,
  hold: (transaction, { endpointId }) =>
    transaction`select from webhook_endpoints where id = ${endpointId} for no key update`,
  run,
});

const targetOf = ({ endpointId, accountId }: LockGround) => ({
  endpointId,
  accountId,
  keyId: null,
  expectedVersion: 1,
  scopes: [],
});

const HASH = 'a'.repeat(64);
const imageOf = ({ accountId }: LockGround) => ({
  accountId,
  sourceHash: HASH,
  hash: HASH,
  contentType: 'image/png' as const,
  width: 1,
  height: 1,
  byteLength: 1,
  createdAt: new Date(),
});
const record = inTransaction((transaction, ground) => recordImage(transaction, imageOf(ground)));

const cancel = inTransaction((transaction, { operationId }) =>
  cancelOperation(transaction, behindTheLock, operationId),
);
const report = inTransaction((transaction, { operationId }) =>
  reportProgress(transaction, behindTheLock, operationId, { completed: 1n, total: 2n, unit: null }),
);

export const accountLocks: readonly LockWait[] = [
  ofAccount('src/features/images/record-image.ts recordImage lockAccount', record),
  {
    call: 'src/features/images/record-image.ts recordImage lockImage',
    statement: /pg_advisory_xact_lock\(hashtextextended\('image:'/,
    hold: (transaction) =>
      transaction`select pg_advisory_xact_lock(hashtextextended('image:' || ${HASH}::text, 0))`,
    run: record,
  },
  ofAccount(
    'src/features/launches/create-launch.ts countOpenLocked lockAccount',
    inTransaction((transaction, { accountId }) =>
      createLaunch(transaction, { accountId } as never, behindTheLock),
    ),
  ),
  ofAccount(
    'src/features/operations/audience/create-export.ts createExport lockAccount',
    inTransaction((transaction, { accountId, mint }) =>
      createExport(
        transaction,
        { accountId, mintAddress: mint, request: {} as never },
        { clock: systemClock, chainHead: { current: () => null } as never },
      ),
    ),
  ),
  ofAccount(
    'src/features/webhooks/endpoints/create-endpoint.ts countEndpointsLocked lockAccount',
    inTransaction((transaction, { accountId }) =>
      createEndpoint(transaction, { accountId } as never, behindTheLock),
    ),
  ),
  ofOperation('src/features/operations/runner/settle.ts finish lockOperation', (db, { operationId }) =>
    finish({ db } as never, { id: operationId } as never, behindTheLock),
  ),
  ofOperation('src/features/operations/cancel-operation.ts cancelOperation lockUnended', cancel),
  ofOperation('src/features/operations/cancel-operation.ts lockUnended lockOperation', cancel),
  ofOperation('src/features/operations/run-manually.ts reportProgress lockManual', report),
  ofOperation('src/features/operations/run-manually.ts lockManual lockUnended', report),
  ofOperation(
    'src/features/operations/run-manually.ts endManually lockManual',
    inTransaction((transaction, { operationId }) =>
      endManually(transaction, behindTheLock, operationId, { status: 'succeeded', resultUrl: null }),
    ),
  ),
  ofPresale(
    'src/features/presales/advance-presales.ts advancePresale lockPresale',
    /from presales p join tokens .* for no key update of p$/,
    (db) =>
      advancePresales(
        { db, clock: systemClock, outbox: behindTheLock, onPresalesChanged: behindTheLock },
        10,
      ),
  ),
  ofPresale(
    'src/features/presales/record-movements.ts recordMovements lockPresales',
    /from presales where id = any.* order by id for no key update$/,
    inTransaction((transaction, { presaleId }) =>
      recordMovements(transaction, behindTheLock, [
        movementOf(presaleId, 'deposit', newAddress(), 1n, new Date()),
      ]),
    ),
  ),
  {
    call: 'src/features/webhooks/deliveries/replay-delivery.ts replayDelivery lockDelivery',
    statement: /from webhook_deliveries delivery .* for update of delivery$/,
    hold: (transaction, { deliveryId }) =>
      transaction`select from webhook_deliveries where id = ${deliveryId} for no key update`,
    run: inTransaction((transaction, { deliveryId, accountId }) =>
      replayDelivery(transaction, deliveryId, { accountId, scopes: [] }),
    ),
  },
  ofEndpoint(
    'src/features/webhooks/endpoints/change-endpoint.ts changeEndpoint lockEndpoint',
    inTransaction((transaction, ground) =>
      changeEndpoint(transaction, targetOf(ground), { destination: null }, behindTheLock),
    ),
  ),
  ofEndpoint(
    'src/features/webhooks/endpoints/rotate-secret.ts rotateSecret lockEndpoint',
    inTransaction((transaction, ground) =>
      rotateSecret(transaction, targetOf(ground), undefined, behindTheLock),
    ),
  ),
  ofEndpoint(
    'src/features/webhooks/endpoints/delete-endpoint.ts deleteEndpoint lockOwnEndpoint',
    inTransaction((transaction, ground) => deleteEndpoint(transaction, targetOf(ground), behindTheLock)),
  ),
  ofEndpoint(
    'src/features/webhooks/endpoints/rows.ts lockEndpoint lockAnyVersion',
    inTransaction((transaction, ground) => lockEndpoint(transaction, targetOf(ground))),
  ),
  ofEndpoint(
    'src/features/webhooks/endpoints/rows.ts lockOwnEndpoint lockAnyVersion',
    inTransaction((transaction, ground) => lockOwnEndpoint(transaction, targetOf(ground))),
  ),
  {
    call: 'src/intents/submit/submit-intent.ts submitIntent lockIntent',
    statement: /from transaction_intents i .* for update$/,
    hold: (transaction, { intentId }) =>
      transaction`select from transaction_intents where id = ${intentId} for no key update`,
    run: inTransaction((transaction, { intentId, accountId }) =>
      submitIntent(transaction, { intentId, accountId } as never, behindTheLock),
    ),
  },
];
