import { createHash } from 'node:crypto';

/**
 * How a response ended for a client: its connection served another request (`kept`) or did not (`closed`), the bytes
 * after it were taken for the next response (`mixed`), or it was cut off or refused (`error`).
 */
export type End = 'kept' | 'closed' | 'mixed' | 'error';

/** What a client read in a response: the final status or null, the body that arrived as latin1, and the end. */
export interface Verdict {
  status: number | null;
  body: string;
  end: End;
}

export const clientNames = ['node', 'undici', 'curl', 'python', 'go'] as const;

/** What `npm run oracles:responses` records. */
export interface RecordedResponses {
  versions: Record<string, string>;
  rows: Record<string, { sha256: string } & Record<string, Verdict>>;
}

export const RECORDED_RESPONSES = 'test/fixtures/responses/verdicts.json';

export function digestOf(response: string): string {
  return createHash('sha256').update(Buffer.from(response, 'latin1')).digest('hex').slice(0, 16);
}
