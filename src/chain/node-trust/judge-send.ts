import { isSignature } from '../../shared/address.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import type { FailureReason } from '../rpc/rpc-failure.ts';
import type { SendTarget } from '../rpc/send-target.ts';
import type { RpcOutcome } from '../rpc.ts';
import type { SignedSend } from './quarantine.ts';

/**
 * The outcome of a send at one node:
 * - `accepted`: the node returned the signature of these bytes. `already_processed`: they landed before.
 * - `refused`: the node says that it did not take them. `unavailable`: no connection came about, or none was
 *   tried.
 * - `other_signature`: it returned another transaction's signature, and is quarantined for that.
 * - `unknown`: every other response, for example without a signature, or of a quarantined node.
 * Only `unavailable` means that nobody took the bytes.
 */
export type SendResult =
  | 'accepted'
  | 'already_processed'
  | 'refused'
  | 'unavailable'
  | 'other_signature'
  | 'unknown';

export const sendResults: readonly SendResult[] = [
  'accepted',
  'already_processed',
  'refused',
  'unavailable',
  'other_signature',
  'unknown',
];

export interface SendOutcome {
  result: SendResult;
  /** For logs. */
  message: string;
  /** The class of a failure, for clients; null where there is none. */
  reason: FailureReason | null;
}

export interface SendDependencies {
  clock: Clock;
  log: Logger;
}

/**
 * Decides what the response of a node to a send means, and whether the node is quarantined. A node that
 * returned another transaction's signature is. A correct response after the period releases it.
 *
 * @param wasQuarantined when the request was made.
 */
export function judgeSend(
  target: SendTarget,
  send: SignedSend,
  response: RpcOutcome<unknown>,
  wasQuarantined: boolean,
  { clock, log }: SendDependencies,
): SendOutcome {
  const outcome = readResponse(response, send.signature);
  const { quarantine } = target;
  if (outcome.result === 'other_signature') {
    const isNew = quarantine.begin(send, clock.now());
    const { signature } = send;
    const facts = { node: target.name, signature, returned: outcome.message, periodMs: quarantine.periodMs };
    if (isNew) log.warn(facts, 'chain.node_quarantined');
    return outcome;
  }
  if (!isCorrect(outcome.result)) return outcome;
  if (quarantine.endIfPeriodOver(clock.now())) log.warn({ node: target.name }, 'chain.node_released');
  return wasQuarantined || quarantine.isActive
    ? { result: 'unknown', message: 'the node is quarantined', reason: null }
    : outcome;
}

/** The meaning of the response, without regard to the trust in the node. */
function readResponse(outcome: RpcOutcome<unknown>, signature: string): SendOutcome {
  if (!outcome.ok) {
    const { kind, message, reason = null } = outcome.failure;
    return { result: kind === 'oversized' ? 'unknown' : kind, message, reason };
  }
  const { value } = outcome;
  if (value === signature) return { result: 'accepted', message: 'accepted', reason: null };
  if (typeof value === 'string' && isSignature(value))
    return { result: 'other_signature', message: value, reason: null };
  return { result: 'unknown', message: 'the response holds no signature', reason: null };
}

function isCorrect(result: SendResult): boolean {
  return result === 'accepted' || result === 'already_processed';
}
