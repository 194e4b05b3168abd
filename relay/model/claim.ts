/** The fields of an endpoint that an attempt needs. */
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
  /** From 1. It is also the fencing token: a result with an old number changes nothing. */
  attemptNumber: number;
  startedAt: Date;
  scheduleIndex: number;
  /** Milliseconds since the delivery was due. */
  queuedMs: number;
  /** Set on a first attempt that is made before the delivery has a row. */
  isFromEvent?: true;
  endpoint: ClaimedEndpoint;
}
