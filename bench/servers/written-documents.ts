import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

interface CapturedDocuments {
  response: Record<string, unknown>;
  event: Record<string, unknown>;
}

let captured: CapturedDocuments | undefined;

/**
 * The response and the event of a write, made of those that were captured from the product (`BENCH_DOCUMENTS`), so that
 * peers return and store documents of the same size. With `fields` the event carries the response as its data.
 */
export function writtenDocuments(
  id: string,
  fields?: Record<string, unknown>,
): { response: string; event: string } {
  captured ??= JSON.parse(readFileSync(process.env.BENCH_DOCUMENTS ?? '', 'utf8')) as CapturedDocuments;
  const submittedAt = new Date().toISOString();
  const response = { ...captured.response, ...fields, id, submittedAt };
  const event = {
    ...captured.event,
    id: randomUUID(),
    subject: id,
    time: submittedAt,
    ...(fields && { data: response }),
  };
  return { response: JSON.stringify(response), event: JSON.stringify(event) };
}
