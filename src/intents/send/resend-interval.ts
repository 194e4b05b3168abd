import type { ChainPace } from '../../chain/pace/chain-pace.ts';

/** A blockhash lives 150 blocks, so a transaction is sent at least fifteen times. */
const RESEND_SLOTS = 10;
/** On a chain with longer slots than mainnet's. */
export const RESEND_MAX_MS = 2_000;
/**
 * Interval after `expiresAt`: then only transactions with a durable nonce are left, which may be valid for
 * years.
 */
export const SLOW_RESEND_SECONDS = 60;

/** When the same bytes are sent again, until the intent ends (contract/intents#broadcast). */
export function nextSendAfter(sentAt: Date, { slotMs }: ChainPace): Date {
  return new Date(sentAt.getTime() + Math.min(RESEND_MAX_MS, RESEND_SLOTS * slotMs));
}
