import { accessProblems } from './problems/access.ts';
import { feesProblems } from './problems/fees.ts';
import { identityProblems } from './problems/identity.ts';
import { imagesProblems } from './problems/images.ts';
import { intentsProblems } from './problems/intents.ts';
import { internalProblems } from './problems/internal.ts';
import { launchesProblems } from './problems/launches.ts';
import { marketProblems } from './problems/market.ts';
import { ordersProblems } from './problems/orders.ts';
import { predictionsProblems } from './problems/predictions.ts';
import { presalesProblems } from './problems/presales.ts';
import type { ProblemArea, ProblemDefinition } from './problems/problem-area.ts';
import { requestsProblems } from './problems/requests.ts';
import { tradingProblems } from './problems/trading.ts';
import { webhooksProblems } from './problems/webhooks.ts';

/** Areas in the order of the page of errors. */
export const problemAreas = [
  accessProblems,
  requestsProblems,
  identityProblems,
  marketProblems,
  tradingProblems,
  feesProblems,
  presalesProblems,
  predictionsProblems,
  intentsProblems,
  launchesProblems,
  imagesProblems,
  ordersProblems,
  webhooksProblems,
  internalProblems,
] as const;

type CodeOf<Area> = Area extends ProblemArea<infer Code> ? Code : never;
export type ProblemCode = CodeOf<(typeof problemAreas)[number]>;

/**
 * The closed table of problems (contract/endpoints#problems). Codes are append-only: clients branch on them
 * (contract/versioning#stable-codes).
 */
export const problemTable = Object.assign({}, ...problemAreas.map(({ problems }) => problems)) as Readonly<
  Record<ProblemCode, ProblemDefinition>
>;

export const problemCodes = Object.keys(problemTable) as readonly ProblemCode[];

export function problemStatus(code: ProblemCode, method: string | undefined): number {
  const { status, readStatus } = problemTable[code];
  return (method === 'GET' ? readStatus : undefined) ?? status;
}
