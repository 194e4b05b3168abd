/** The reason why a message can never be applied. The header `Launchwire-Reason` of the rejected message holds it. */
export type RejectionReason =
  | 'unknown_kind'
  | 'malformed_json'
  | 'schema_invalid'
  | 'constraint_violated'
  /** A movement or payment whose identity belongs to another one. */
  | 'identity_reused'
  /** A staking position that belongs to another wallet or token. */
  | 'position_owner_changed'
  /** A source proof for a time in the future. */
  | 'proof_in_future'
  /** A source proof that came while too many others wait for earlier messages. */
  | 'unsettled_before'
  | PresaleRefusal
  | MissingFact;

/** Why a presale cannot take a movement. */
type PresaleRefusal =
  | 'presale_not_started'
  | 'presale_deadline_passed'
  | 'presale_closed'
  | 'presale_cap_exceeded'
  | 'presale_wallet_cap_exceeded'
  | 'presale_refund_exceeded'
  | 'presale_claim_exceeded'
  | 'unknown_participation';

/** The facts for which a message may wait, because feeds are separate and several workers share the stream. */
export type MissingFact =
  /** The token that the message is about. */
  | 'unknown_token'
  /** The trade that a reversal without a slot takes back. */
  | 'unknown_trade'
  /** The reversal of the same trade at another slot. */
  | 'trade_conflict'
  /** The presale of a deposit, refund or claim. */
  | 'unknown_presale'
  /** The status in which the presale accepts the movement. */
  | 'presale_not_open'
  | 'presale_not_refunding'
  | 'presale_not_settled';

/** The outcome of one message. */
export type Verdict =
  | { outcome: 'applied' }
  | { outcome: 'rejected'; reason: RejectionReason; detail: string }
  /**
   * The missing fact may arrive shortly. The message is retried up to a limit, and then rejected for this.
   */
  | { outcome: 'waiting'; reason: MissingFact; detail: string };

export const APPLIED: Verdict = { outcome: 'applied' };

export function waitingFor(reason: MissingFact, detail: string): Verdict {
  return { outcome: 'waiting', reason, detail };
}

/** A valid message, or its first mistake. */
export type Checked<Message> = { ok: true; message: Message } | { ok: false; detail: string };

/** The message in another form. */
export function readAs<Message, Read>(
  checked: Checked<Message>,
  read: (message: Message) => Read,
): Checked<Read> {
  return checked.ok ? { ok: true, message: read(checked.message) } : checked;
}
