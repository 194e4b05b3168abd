/** What a check of the doctor found. */
export interface Finding {
  check: string;
  state: 'ok' | 'failed' | 'skipped';
  /** What is there; of a failure its cause and what to do, of a check that was left out what it needs. */
  detail: string;
}

export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

export function failed(check: string, detail: string): Finding {
  return { check, state: 'failed', detail };
}

export function skipped(check: string, detail: string): Finding {
  return { check, state: 'skipped', detail };
}

/** The message of an error, in one line. */
export function causeOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, ' ').trim();
}
