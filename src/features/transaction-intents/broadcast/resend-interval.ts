const RESEND_MS = 2_000;
/** After `expiresAt`: then only a durable nonce is left, which may be good for years. */
export const SLOW_RESEND_SECONDS = 60;

/** The same bytes go out again this long after the last time, until the intent ends (contract/intents#broadcast). */
export function nextSendAfter(sentAt: Date): Date {
  return new Date(sentAt.getTime() + RESEND_MS);
}
