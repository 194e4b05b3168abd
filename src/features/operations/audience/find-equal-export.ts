import type { Queryable } from '../../../db/client.ts';
import { operationColumns } from '../find-operation.ts';
import type { AudienceExportInput } from '../kinds/input-schema.ts';
import type { OperationRow } from '../record.ts';
import { startedFrom } from '../results/find-kept-files.ts';

/** contract/operations#equal-exports */
const RECENT = '5 minutes';

/**
 * The newest recent export of the account with the same input that has not ended or has its file; null when
 * there is none.
 */
export async function findEqualExport(
  db: Queryable,
  accountId: string,
  { mintAddress, minimumBalanceRaw = '1', top, minSlot = '0', format = 'csv' }: AudienceExportInput,
): Promise<OperationRow | null> {
  const [row] = await db<OperationRow[]>`
    select ${operationColumns(db)} from operations o left join operation_results r on r.operation_id = o.id
    where o.account_id = ${accountId} and o.kind = 'audience_export' and o.id >= ${startedFrom(db, RECENT)}
      and o.cancel_requested_at is null
      and (o.status in ('queued', 'running') or (o.status = 'succeeded' and r.expires_at > now()))
      and o.input->>'mintAddress' = ${mintAddress}
      and coalesce(o.input->>'minimumBalanceRaw', '1') = ${minimumBalanceRaw}
      and o.input->>'top' is not distinct from ${top?.toString() ?? null}
      and coalesce(o.input->>'minSlot', '0') = ${minSlot}
      and coalesce(o.input->>'format', 'csv') = ${format}
    order by o.id desc limit 1`;
  return row ?? null;
}
