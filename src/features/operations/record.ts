import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';
import type { OperationError, OperationRecord } from './schema.ts';
import type { OperationStatus } from './state.ts';

/** Addresses of this deployment that an operation shows. */
export interface OperationLinks {
  /** Base of the documentation; problem types point into it. */
  docsUrl: string;
  /** A temporary address of the result; null without a key to sign it (the admin CLI). */
  resultUrl(operationId: string, resultExpiresAt: Date, now: Date): string | null;
}

/** The columns of `operations` that clients see. */
export interface OperationRow {
  id: string;
  accountId: string;
  kind: string;
  status: OperationStatus;
  progressCompleted: bigint | null;
  progressTotal: bigint | null;
  progressUnit: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  /** Address of a result that another server keeps. */
  resultUrl: string | null;
  errorCode: ProblemCode | null;
  errorDetail: string | null;
  errorRequestId: string | null;
  /** Until when its result file is kept; null if there is none. */
  resultExpiresAt: Date | null;
}

export function toOperation(row: OperationRow, links: OperationLinks, now: Date): OperationRecord {
  const progress = progressOf(row);
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    ...(progress && { progress }),
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    resultUrl: resultUrlOf(row, links, now),
    error: errorOf(row, links.docsUrl),
  };
}

function progressOf({ progressCompleted, progressTotal, progressUnit }: OperationRow) {
  if (progressCompleted === null || progressTotal === null) return null;
  // The contract has integers here: they count units of work, far below 2^53.
  return {
    completed: Number(progressCompleted),
    total: Number(progressTotal),
    ...(progressUnit !== null && { unit: progressUnit }),
  };
}

function resultUrlOf(row: OperationRow, links: OperationLinks, now: Date): string | null {
  const { id, resultUrl, resultExpiresAt } = row;
  if (resultUrl !== null || resultExpiresAt === null) return resultUrl;
  return resultExpiresAt > now ? links.resultUrl(id, resultExpiresAt, now) : null;
}

function errorOf(row: OperationRow, docsUrl: string): OperationError | null {
  const { id, errorCode: code, errorDetail, errorRequestId } = row;
  if (code === null || errorRequestId === null) return null;
  const { status, title, detail } = problemTable[code];
  return {
    type: `${docsUrl}/reference/errors#${code}`,
    title,
    status,
    detail: errorDetail ?? detail,
    instance: `/api/v2/operations/${id}`,
    code,
    requestId: errorRequestId,
  };
}
