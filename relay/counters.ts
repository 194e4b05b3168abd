/** What happened since the start; logged once a minute and at the end. */
export class Counters {
  messages = 0;
  poisonMessages = 0;
  fannedOutDeliveries = 0;
  expiredLeases = 0;
  inactiveDeliveries = 0;
  repairedEvents = 0;
  repairedDeliveries = 0;
  /** Consumer sessions that broke: streams or consumers lost, the broker gone. */
  endedSessions = 0;
  /** Finished attempts by error code, or `succeeded`. */
  readonly attempts: Record<string, number> = {};

  countAttempt(code: string): void {
    this.attempts[code] = (this.attempts[code] ?? 0) + 1;
  }
}
