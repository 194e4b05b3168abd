import type { PacedHead } from '../../../chain/head.ts';
import { mostIn } from '../../../chain/pace/chain-pace.ts';
import { lockAccount } from '../../../db/account-lock.ts';
import type { Transaction } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { Problem } from '../../../shared/problem.ts';
import { createOperation } from '../create-operation.ts';
import type { OperationRow } from '../record.ts';
import { findKeptFiles, KEPT_BYTES_MAX, type KeptFiles } from '../results/find-kept-files.ts';
import { findEqualExport } from './find-equal-export.ts';
import type { AudienceExportBody } from './schema.ts';

/** Unfinished exports of an account: for each a node lists every holder of a token. */
const OPEN_MAX = unpublishedLimits.openAudienceExports;
/** The chain gets there before the export gives up. */
const AHEAD_MAX_MS = 60_000;

export interface AudienceExportOrder {
  accountId: string;
  mintAddress: string;
  request: AudienceExportBody;
}

/**
 * Queues an export of the holders of a token, or returns an equal recent one. Throws `token_not_found`,
 * `validation_failed` when the chain is far from the requested slot, `operation_limit_reached`.
 */
export async function createExport(
  transaction: Transaction,
  { accountId, mintAddress, request }: AudienceExportOrder,
  { clock, chainHead }: { clock: Clock; chainHead: PacedHead },
): Promise<OperationRow> {
  const { count } = await transaction`select from visible_tokens where mint_address = ${mintAddress}`;
  if (count === 0) throw new Problem('token_not_found');
  requireNearSlot(request.minSlot, chainHead);
  const input = { mintAddress, ...request };
  await lockAccount(transaction, accountId);
  const equal = await findEqualExport(transaction, accountId, input);
  if (equal !== null) return equal;
  if ((await countOpen(transaction, accountId)) >= OPEN_MAX)
    throw new Problem('operation_limit_reached', { context: { limit: OPEN_MAX } });
  requireRoom(await findKeptFiles(transaction, accountId));
  return createOperation(transaction, clock, { accountId, kind: 'audience_export', input });
}

/** Without a known head no slot is refused: the export fails when no node reaches the slot. */
function requireNearSlot(minSlot: string | undefined, chainHead: PacedHead): void {
  const headSlot = chainHead.current()?.slot ?? null;
  if (minSlot === undefined || headSlot === null) return;
  const most = headSlot + mostIn(AHEAD_MAX_MS, chainHead.pace().slotsPerSecond);
  if (BigInt(minSlot) <= most) return;
  const message = `must be at most ${most}: the chain is at slot ${headSlot}`;
  throw new Problem('validation_failed', {
    errors: [{ path: '/body/minSlot', code: 'out_of_range', message }],
  });
}

function requireRoom({ bytes, freeAt }: KeptFiles): void {
  if (bytes < KEPT_BYTES_MAX) return;
  throw new Problem('operation_limit_reached', {
    detail: 'The files of earlier exports use all the space that the account has.',
    context: {
      keptBytes: bytes.toString(),
      keptBytesMax: KEPT_BYTES_MAX.toString(),
      ...(freeAt && { freeAt: freeAt.toISOString() }),
    },
  });
}

/** Number of exports of the account that have not ended. */
async function countOpen(transaction: Transaction, accountId: string): Promise<number> {
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::int as count from operations
    where account_id = ${accountId} and kind = 'audience_export' and status in ('queued', 'running')`;
  return row?.count ?? 0;
}
