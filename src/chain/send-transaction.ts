import type { Base64EncodedWireTransaction } from '@solana/kit';
import bs58 from 'bs58';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import type { MisansweredSend } from './quarantine.ts';
import type { ChainRpc, RpcOutcome } from './rpc.ts';

/**
 * What a send came to:
 * - `accepted`: the node answered with the signature of these bytes; `already_processed`: they landed before;
 * - `refused`, `unavailable`: the node says that it did not take them, or was not reached;
 * - `other_signature`: it answered with a signature that is not theirs, and is quarantined for it;
 * - `unknown`: anything else, an answer without a signature and one of a quarantined node included.
 * Only `unavailable` means that nobody took the bytes.
 */
export type SendAnswer =
  | 'accepted'
  | 'already_processed'
  | 'refused'
  | 'unavailable'
  | 'other_signature'
  | 'unknown';

export const sendAnswers: readonly SendAnswer[] = [
  'accepted',
  'already_processed',
  'refused',
  'unavailable',
  'other_signature',
  'unknown',
];

export interface SendOutcome {
  answer: SendAnswer;
  /** For logs. */
  message: string;
}

export interface SendContext {
  clock: Clock;
  log: Logger;
}

const TIMEOUT_MS = 3_000;
const SIGNATURE_BYTES = 64;
/** 64 bytes have at most 88 digits of base58. */
const SIGNATURE_CHARACTERS_MAX = 88;

/**
 * Hands signed bytes to a node as they are; the node neither simulates nor repeats them. Its answer is judged: it may
 * quarantine the node, or end a quarantine.
 */
export async function sendTransaction(
  rpc: ChainRpc,
  send: MisansweredSend,
  { clock, log }: SendContext,
): Promise<SendOutcome> {
  const wasQuarantined = rpc.quarantine.isActive;
  const outcome = judge(await requestSend(rpc, send.signedTransaction), send.signature);
  const { quarantine } = rpc;
  if (outcome.answer === 'other_signature') {
    const isNew = quarantine.begin(send, clock.now());
    const { signature } = send;
    const facts = { node: rpc.name, signature, answered: outcome.message, periodMs: quarantine.periodMs };
    if (isNew) log.warn(facts, 'chain.node_quarantined');
    return outcome;
  }
  if (!isRight(outcome.answer)) return outcome;
  if (quarantine.endIfServed(clock.now())) log.warn({ node: rpc.name }, 'chain.node_released');
  return wasQuarantined || quarantine.isActive
    ? { answer: 'unknown', message: 'the node is quarantined' }
    : outcome;
}

/** Asks a quarantined node again what it got wrong, once its period is over. The bytes are public and cannot land twice. */
export async function probeQuarantined(rpc: ChainRpc, context: SendContext): Promise<void> {
  const probe = rpc.quarantine.takeProbe(context.clock.now());
  if (probe !== null) await sendTransaction(rpc, probe, context);
}

function requestSend(rpc: ChainRpc, signedTransaction: Uint8Array): Promise<RpcOutcome<unknown>> {
  const wire = Buffer.from(signedTransaction).toString('base64') as Base64EncodedWireTransaction;
  return rpc.callRegardless<unknown>(
    (kit, abortSignal) =>
      kit
        .sendTransaction(wire, { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
        .send({ abortSignal }),
    TIMEOUT_MS,
  );
}

function judge(outcome: RpcOutcome<unknown>, signature: string): SendOutcome {
  if (!outcome.ok) {
    const { kind, message } = outcome.failure;
    return { answer: kind === 'oversized' ? 'unknown' : kind, message };
  }
  const { value } = outcome;
  if (value === signature) return { answer: 'accepted', message: 'accepted' };
  if (isSignature(value)) return { answer: 'other_signature', message: value };
  return { answer: 'unknown', message: 'the answer holds no signature' };
}

function isSignature(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > SIGNATURE_CHARACTERS_MAX) return false;
  return bs58.decodeUnsafe(value)?.byteLength === SIGNATURE_BYTES;
}

function isRight(answer: SendAnswer): boolean {
  return answer === 'accepted' || answer === 'already_processed';
}
