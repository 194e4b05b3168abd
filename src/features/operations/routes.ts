import { Type } from '@sinclair/typebox';
import type { AccountListPosition } from '../../db/account-list.ts';
import type { Database } from '../../db/client.ts';
import type { Reader } from '../../db/look-ups.ts';
import { operationStatuses } from '../../db/values/operations.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { PageOf, paginationFields, requestedPage } from '../../http/lists/pages.ts';
import { mutation, privateRead, type Route, type RouteDefinition, waitableRead } from '../../http/route.ts';
import type { Outbox } from '../../outbox/append.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { hints, type SentHint } from '../../shared/bus/topology.ts';
import type { Clock } from '../../shared/clock.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { described, OneOf } from '../../shared/field-schemas.ts';
import { Problem } from '../../shared/problem.ts';
import { cancelOwnOperation } from './cancel-own-operation.ts';
import { findOperation } from './find-operation.ts';
import { listOperations } from './list-operations.ts';
import { type OperationLinks, toOperation } from './record.ts';
import { CancelledOperation, KindFilter, OperationPath, OperationSchema } from './schema.ts';
import { isTerminal } from './state.ts';

/** Polling hint for queued and running operations (contract/operations#polling). */
const POLL_AFTER_SECONDS = String(publishedLimits.pollingRetryAfterSeconds);

const getOperation = {
  id: 'getOperation',
  method: 'GET',
  path: '/operations/:operationId',
  tag: 'Operations',
  summary: 'An operation of the account',
  description:
    'Poll until the status is `succeeded`, `failed` or `cancelled`, and wait `Retry-After` seconds between requests. Or let `Prefer: wait=25` hold the response until the status changes, or subscribe to `operation.*` events. `progress.total` may change while the amount of work is not known yet. A `resultUrl` of this service needs no key and works for an hour: whoever has it can fetch the file, so keep it to yourself, and ask again for a fresh one. Files are kept for 7 days; then `resultUrl` is null. An `audience_export` is CSV (`wallet_address,balance_raw,slot`), all holders as of one slot, largest balance first; a `delivery_replay` and a `delivery_recovery` report their counts as JSON.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  params: OperationPath,
  response: OperationSchema,
  waitable: true,
  responseHeaders: ['Retry-After', 'Preference-Applied'],
  problems: ['operation_not_found'],
} satisfies RouteDefinition;

const listOperationsDefinition = {
  id: 'listOperations',
  method: 'GET',
  path: '/operations',
  refusesUnknownQuery: true,
  tag: 'Operations',
  summary: 'Operations, newest first',
  description:
    'The records of `getOperation`. While a result is kept, its `resultUrl` is a new one in each response. Filter by `status` and `kind`.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  query: Type.Object({
    ...paginationFields,
    status: described('Only items with this status.', Type.Optional(OneOf(operationStatuses))),
    kind: KindFilter,
  }),
  response: PageOf(OperationSchema),
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

const cancelOperationDefinition = {
  id: 'cancelOperation',
  method: 'POST',
  path: '/operations/:operationId/cancellations',
  refusesUnknownQuery: true,
  tag: 'Operations',
  summary: 'Cancel an operation of the account',
  description:
    'Cancels an operation that the account has started. An `audience_export` needs the scope `audience:write`, a `delivery_recovery` needs `webhooks:write`. A `queued` operation is `cancelled` in the response. A `running` operation stops at its next step, within seconds: until then its status is `running` and `cancelRequested` is true. `operation.cancelled` follows, unless the last step was made before. Work that is done stays done. Cancelling a cancelled operation again changes nothing. An operation that has succeeded or failed is refused.',
  auth: ['operations:read'],
  ratePolicy: 'webhook-admin',
  successStatus: 202,
  params: OperationPath,
  response: CancelledOperation,
  dependsOnKey: 'scopes',
  responseHeaders: ['Location', 'Retry-After'],
  problems: ['operation_not_found', 'operation_not_cancellable'],
} satisfies RouteDefinition;

export const operationDefinitions: readonly RouteDefinition[] = [getOperation];
/** Operations added after the first 36 (contract/endpoints#added). */
export const addedOperationDefinitions: readonly RouteDefinition[] = [
  listOperationsDefinition,
  cancelOperationDefinition,
];

export interface OperationRouteDependencies {
  database: Database;
  lookUps: Reader;
  clock: Clock;
  operationLinks: OperationLinks;
  cursors: Cursors;
  outbox: Outbox;
  sendHints(...hints: SentHint[]): void;
}

export function operationRoutes({ lookUps, clock, operationLinks }: OperationRouteDependencies): Route[] {
  return [
    waitableRead(
      getOperation,
      ({ params }) => params.operationId.toLowerCase(),
      async ({ params }, { accountId }) => {
        const operation = await findOperation(lookUps, params.operationId, accountId);
        if (operation === null) throw new Problem('operation_not_found');
        const body = toOperation(operation, operationLinks, clock.now());
        return isTerminal(operation.status)
          ? { body, state: null }
          : { body, state: operation.status, headers: { 'Retry-After': POLL_AFTER_SECONDS } };
      },
    ),
  ];
}

export function addedOperationRoutes(dependencies: OperationRouteDependencies): Route[] {
  const { database, clock, operationLinks, cursors, outbox, sendHints } = dependencies;
  return [
    privateRead(listOperationsDefinition, async ({ query }, { accountId }) => {
      const { status, kind } = query;
      const binding = [listOperationsDefinition.id, accountId, status ?? null, kind ?? null];
      const page = requestedPage<AccountListPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      const { items, next } = await listOperations(database, accountId, { status, kind, limit, after });
      const now = clock.now();
      return {
        body: page.toBody({ items: items.map((row) => toOperation(row, operationLinks, now)), next }),
      };
    }),
    mutation(cancelOperationDefinition, async ({ params }, { principal }, transaction) => {
      const context = { outbox, clock, links: operationLinks };
      const { operation, isRequested } = await cancelOwnOperation(
        transaction,
        context,
        params.operationId,
        principal,
      );
      return {
        body: { ...operation, cancelRequested: isRequested },
        headers: {
          Location: `${API_PREFIX}/operations/${operation.id}`,
          ...(isRequested && { 'Retry-After': POLL_AFTER_SECONDS }),
        },
        ...(isRequested && { afterCommit: () => sendHints(hints.operations) }),
      };
    }),
  ];
}
