import type { Database } from '../../../src/db/client.ts';
import { operationStatuses } from '../../../src/db/values/operations.ts';
import { createOperation } from '../../../src/features/operations/create-operation.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { insertRows } from '../rows/insert-rows.ts';
import type { Owner } from './owner.ts';
import type { PublicGround } from './public-ground.ts';

const DAY_MS = 86_400_000;

/** Inserts operations in every state, one with a file, and returns their ids. */
export async function insertOperations(
  db: Database,
  owner: Owner,
  { mint }: PublicGround,
): Promise<string[]> {
  const create = async (kind: string, input: object) => {
    const { accountId } = owner;
    const { id } = await db.begin((transaction) =>
      createOperation(transaction, systemClock, { accountId, kind, input }),
    );
    return id;
  };
  const ids: string[] = [];
  for (const status of operationStatuses) {
    const id = await create(`kind_${owner.mark}`, { of: owner.mark });
    await setStatus(db, id, status, owner);
    ids.push(id);
  }
  ids.push(await create('audience_export', { mintAddress: mint, top: 5 }));
  const done = await create('audience_export', { mintAddress: mint });
  await setStatus(db, done, 'succeeded', owner);
  await insertFile(db, done, owner);
  ids.push(done);
  return ids;
}

/** Inserts an unfinished recovery for an endpoint of any account. Operators can create one, and it then
 * fails. */
export async function insertRecovery(
  db: Database,
  { accountId }: Owner,
  endpointId: string,
): Promise<string> {
  const [since, until] = [new Date(Date.now() - DAY_MS), new Date()].map((time) => time.toISOString());
  const input = { endpointId, since, until, statuses: ['missed', 'dead_letter'] };
  const { id } = await db.begin((transaction) =>
    createOperation(transaction, systemClock, { accountId, kind: 'delivery_recovery', input }),
  );
  return id;
}

async function setStatus(
  db: Database,
  id: string,
  status: (typeof operationStatuses)[number],
  { mark }: Owner,
): Promise<void> {
  const isOver = status !== 'queued' && status !== 'running';
  await db`
    update operations set status = ${status}, started_at = ${status === 'queued' ? null : new Date()},
      completed_at = ${isOver ? new Date() : null}, due_at = ${isOver ? null : db`due_at`},
      progress_completed = 1, progress_total = 2, progress_unit = ${mark},
      result_url = ${status === 'succeeded' ? `https://files.example/${mark}` : null},
      error_code = ${status === 'failed' ? 'token_not_found' : null}, error_detail = ${status === 'failed' ? mark : null},
      error_request_id = ${status === 'failed' ? `req_${'0f'.repeat(16)}` : null}
    where id = ${id}`;
}

/** Inserts the file of an export and the rows that its run has not deleted yet. */
async function insertFile(db: Database, operationId: string, { mark }: Owner): Promise<void> {
  const content = Buffer.from(`file ${mark}`);
  const holder = { operationId, walletAddress: newAddress() };
  await db`update operations set result_url = null where id = ${operationId}`;
  await insertRows(db, 'operation_results', [
    {
      operationId,
      contentType: 'text/csv',
      fileName: `${mark}.csv`,
      byteLength: BigInt(content.byteLength),
      expiresAt: new Date(Date.now() + DAY_MS),
    },
  ]);
  await insertRows(db, 'operation_result_chunks', [{ operationId, ordinal: 0, content }]);
  await insertRows(db, 'operation_holders', [{ ...holder, rank: 1n, balanceRaw: '1' }]);
  await insertRows(db, 'operation_token_accounts', [{ ...holder, amountRaw: '1' }]);
}
