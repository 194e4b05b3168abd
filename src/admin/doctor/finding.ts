/** The result of one check of the doctor. */
export interface Finding {
  check: string;
  /** A warning is no failure: it works, and a setting of the operator makes it safer. */
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** The state found; for a warning or failure its cause and the action, for a skipped check its requirement. */
  detail: string;
}

export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail };
}

export function warning(check: string, detail: string): Finding {
  return { check, state: 'warning', detail };
}

export function failed(check: string, detail: string): Finding {
  return { check, state: 'failed', detail };
}

export function skipped(check: string, detail: string): Finding {
  return { check, state: 'skipped', detail };
}

/** Returns the message of an error in one line. */
export function causeOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, ' ').trim();
}
