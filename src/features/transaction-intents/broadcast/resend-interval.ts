const RESEND_MS = 2_000;
/**
 * Interval after `expiresAt`: then only transactions with a durable nonce are left, which may be valid for
 * years.
 */
export const SLOW_RESEND_SECONDS = 60;

/** When the same bytes are sent again, until the intent ends (contract/intents#broadcast). */
export function nextSendAfter(sentAt: Date): Date {
  return new Date(sentAt.getTime() + RESEND_MS);
}
