import type { Evidence } from '../evidence/evidence.ts';
import type { DocumentedOperation } from '../evidence/facts.ts';
import type { RequestEntry } from '../evidence/histories.ts';

/** Whatever the api said in between is in its OpenAPI document: the status, and the code of a problem. */
export function answersAreDocumented({ histories, documented }: Evidence): string[] {
  const found = new Map<string, number>();
  for (const request of histories.requests) {
    const mistake = undocumented(request, documented);
    if (mistake !== null) found.set(mistake, (found.get(mistake) ?? 0) + 1);
  }
  return [...found].map(([mistake, times]) => `${mistake} (${times} times)`);
}

function undocumented(
  { method, path, status, code }: RequestEntry,
  documented: readonly DocumentedOperation[],
): string | null {
  // A connection that breaks is no answer.
  if (status === null || status === 101) return null;
  const operation = documented.find((one) => one.method === method && one.pattern.test(path));
  if (operation === undefined) return `${method} ${path} is no operation`;
  const codes = operation.answers.get(status);
  if (codes === undefined) return `${operation.operationId} answered ${status} ${code ?? ''}`;
  if (status < 400) return null;
  return code !== null && codes.has(code) ? null : `${operation.operationId} answered ${status} with ${code}`;
}
