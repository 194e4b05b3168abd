import type { SendDependencies, SendResult } from '../../chain/node-trust/judge-send.ts';
import type { SignedSend } from '../../chain/node-trust/quarantine.ts';
import type { SendTarget } from '../../chain/rpc/send-target.ts';
import { sendTransaction } from '../../chain/rpc/send-transaction.ts';
import { type AddressAnswer, isTaken } from './record-sends.ts';

export interface NodeSendDependencies extends SendDependencies {
  /** Called with the result of each send and the name of its address. */
  onResponse?: ((result: SendResult, address: string) => void) | undefined;
}

/** The responses of all addresses to one send. */
export interface BroadcastResult {
  /** A node has the transaction, or it landed before. */
  isAccepted: boolean;
  /** The send certainly reached no node. */
  isUnsent: boolean;
  /** A node returned the signature of another transaction; addresses that only send do not count. */
  isMisanswered: boolean;
  /** The response of each address, for logs, when no node has the transaction. */
  responses: string[];
}

/** What a sender does while responses come. A failure of one fails the send. */
export interface ResponseHandlers {
  /** Called with the name of the first node that has the transaction, without waiting for slower ones. */
  onAccepted(name: string): Promise<void>;
  /** Called when every address has responded, without waiting for `onAccepted`. */
  onAllAnswered(answers: readonly AddressAnswer[]): Promise<void>;
}

/** Sends the bytes to every address at once, and waits for all of them. */
export async function sendToNodes(
  targets: readonly SendTarget[],
  send: SignedSend,
  dependencies: NodeSendDependencies,
  { onAccepted, onAllAnswered }: ResponseHandlers,
): Promise<BroadcastResult> {
  let accepted: Promise<void> | undefined;
  const outcomes = await Promise.all(
    targets.map(async (target) => {
      const outcome = await sendTransaction(target, send, dependencies);
      dependencies.onResponse?.(outcome.result, target.name);
      if (accepted === undefined && isTaken(outcome.result)) {
        accepted = onAccepted(target.name);
        // Awaited below: slower addresses may respond later than it fails.
        accepted.catch(() => {});
      }
      return outcome;
    }),
  );
  const isAccepted = accepted !== undefined;
  await Promise.all([
    accepted,
    onAllAnswered(
      outcomes.map(({ result, reason }, at) => ({ target: targets[at]?.name ?? '', result, reason })),
    ),
  ]);
  return {
    isAccepted,
    isUnsent: outcomes.every(({ result }) => result === 'unavailable'),
    isMisanswered: outcomes.some(
      ({ result }, at) => result === 'other_signature' && targets[at]?.isSendOnly === false,
    ),
    responses: isAccepted
      ? []
      : outcomes.map(({ result, message }, at) => `${targets[at]?.name} ${result}: ${message}`),
  };
}
