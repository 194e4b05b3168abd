import type { Database } from '../../../db/client.ts';
import { privateRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import type { Gate } from '../../../shared/gate.ts';
import { Problem } from '../../../shared/problem.ts';
import { IntentPath } from '../schema.ts';
import { listSends } from './list-sends.ts';
import { readReport } from './read-report.ts';
import { judgeRange } from './report-range.ts';
import { IntentSendsSchema, LandingReportSchema, ReportQuery } from './schema.ts';

const getTransactionIntentSends = {
  id: 'getTransactionIntentSends',
  method: 'GET',
  path: '/transaction-intents/:intentId/sends',
  refusesUnknownQuery: true,
  tag: 'Operations',
  summary: 'How an intent was sent',
  description:
    'For each address, by its name: when, at which slot and how often the transaction was sent to it, and how it answered. All sends carry the same bytes, so nobody can tell which address made the transaction land. Records appear up to some seconds after the sends.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  params: IntentPath,
  response: IntentSendsSchema,
  problems: ['transaction_intent_not_found'],
} satisfies RouteDefinition;

const getLandingReport = {
  id: 'getLandingReport',
  method: 'GET',
  path: '/landing-report',
  refusesUnknownQuery: true,
  tag: 'Operations',
  summary: 'How your transactions landed',
  description:
    'Counts and percentiles of the intents that were prepared in the range and submitted, grouped by route, level of the priority fee, hour or address. `by=address` compares the intents that were sent to an address with those that were withheld from it at random. If none were withheld, nothing can be compared, because every address gets the same bytes.',
  auth: ['operations:read'],
  ratePolicy: 'report-read',
  successStatus: 200,
  query: ReportQuery,
  response: LandingReportSchema,
  problems: ['landing_report_range_invalid'],
} satisfies RouteDefinition;

export const landingReportDefinitions: readonly RouteDefinition[] = [
  getTransactionIntentSends,
  getLandingReport,
];

export interface LandingReportRouteDependencies {
  database: Database;
  /** Bounds the reports that are computed at a time. */
  reportGate: Gate;
}

export function landingReportRoutes({ database, reportGate }: LandingReportRouteDependencies): Route[] {
  return [
    privateRead(getTransactionIntentSends, async ({ params }, { accountId }) => {
      const sends = await listSends(database, params.intentId, accountId);
      if (sends === null) throw new Problem('transaction_intent_not_found');
      return { body: sends };
    }),
    privateRead(getLandingReport, async ({ query, client }, { accountId }) => {
      const range = judgeRange(query.from, query.to);
      const body = await reportGate.run(client, () =>
        readReport(database, accountId, range, query.by ?? 'route'),
      );
      return { body };
    }),
  ];
}
