import type { RequestEntry } from '../evidence/histories.ts';

/** What every client of a walk knows. */
export interface ClientSetting {
  /** Origin of all apis. */
  readonly origin: string;
  readonly requests: RequestEntry[];
  readonly sinceStart: () => number;
  /** Aborts when clients begin nothing new. */
  readonly ending: AbortSignal;
}

export interface Credentials {
  readonly accountId: string;
  readonly apiKey: string;
}
