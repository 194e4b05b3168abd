import type { ApiDoor } from '../../http/api-door.ts';
import type { ReadGates } from '../../http/caches/read-gates.ts';
import { landingReportDefinitions, landingReportRoutes } from './landing-report/routes.ts';
import {
  addedIntentDefinitions,
  addedIntentRoutes,
  transactionIntentDefinitions,
  transactionIntentRoutes,
} from './routes.ts';

export const transactionIntentApi = {
  operations: [{ definitions: transactionIntentDefinitions, routes: transactionIntentRoutes }],
  added: [
    { definitions: addedIntentDefinitions, routes: addedIntentRoutes },
    { definitions: landingReportDefinitions, routes: landingReportRoutes },
  ],
  open: ({ gates }: { gates: ReadGates }) => ({ reportGate: gates.reports }),
} satisfies ApiDoor;
