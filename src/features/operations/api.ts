import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { audienceDefinitions, audienceRoutes } from './audience/routes.ts';
import { findOpenOperations, findStreamedOperations } from './find-operation.ts';
import { type OperationLinks, toOperation } from './record.ts';
import { recoveryDefinitions, recoveryRoutes } from './recovery/routes.ts';
import type { ResultDependencies } from './results/serve-result.ts';
import {
  addedOperationDefinitions,
  addedOperationRoutes,
  operationDefinitions,
  operationRoutes,
} from './routes.ts';

export interface OperationRecordDependencies {
  database: Database;
  clock: Clock;
  operationLinks: OperationLinks;
}

interface ResultGround extends Omit<ResultDependencies, 'database'> {
  publicDatabase: Database;
  log: Logger;
}

export const operationApi = {
  operations: [{ definitions: operationDefinitions, routes: operationRoutes }],
  added: [
    { definitions: addedOperationDefinitions, routes: addedOperationRoutes },
    { definitions: audienceDefinitions, routes: audienceRoutes },
    { definitions: recoveryDefinitions, routes: recoveryRoutes },
  ],
  open: ({ publicDatabase, clock, log, resultLinks }: ResultGround) => ({
    results: { database: publicDatabase, clock, log, resultLinks },
  }),
  records: ({ database, clock, operationLinks }: OperationRecordDependencies) => ({
    async operations(ids: readonly string[]) {
      const rows = await findStreamedOperations(database, ids);
      return new Map(rows.map((row) => [row.id, toOperation(row, operationLinks, clock.now())]));
    },
    async openOperations(accountId: string, limit: number) {
      const rows = await findOpenOperations(database, accountId, limit);
      return rows.map((row) => toOperation(row, operationLinks, clock.now()));
    },
  }),
} satisfies ApiDoor;
