/** What an attempt needs to know about its endpoint. */
export interface ClaimedEndpoint {
  id: string;
  accountId: string;
  url: string;
  sealedSecret: Uint8Array;
  /** Signs too, until `previousSecretExpiresAt`. */
  sealedPreviousSecret: Uint8Array | null;
  previousSecretExpiresAt: Date | null;
}

/** A delivery that belongs to this relay until its lease ends. */
export interface Claim {
  deliveryId: string;
  eventId: string;
  eventType: string;
  /** From 1; also the fencing token: a result with an old number changes nothing. */
  attemptNumber: number;
  startedAt: Date;
  scheduleIndex: number;
  /** Milliseconds since the delivery was due. */
  queuedMs: number;
  /** A first attempt that was made from its event at once, before the delivery had a row. */
  isFromEvent?: true;
  endpoint: ClaimedEndpoint;
}
