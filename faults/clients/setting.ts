import type { RequestEntry } from '../evidence/histories.ts';

/** Facts and signals that every client of a walk has. */
export interface ClientSetting {
  /** Origin of all apis. */
  readonly origin: string;
  readonly requests: RequestEntry[];
  readonly sinceStart: () => number;
  /** Aborts when clients begin nothing new. */
  readonly ending: AbortSignal;
  /** Aborts when clients wait for nothing any more: what is open then is stuck. */
  readonly givingUp: AbortSignal;
}

export interface Credentials {
  readonly accountId: string;
  readonly apiKey: string;
}
