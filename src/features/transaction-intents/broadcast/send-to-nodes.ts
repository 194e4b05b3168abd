import type { SendDependencies, SendOutcome, SendResult } from '../../../chain/node-trust/judge-send.ts';
import type { SignedSend } from '../../../chain/node-trust/quarantine.ts';
import type { SendTarget } from '../../../chain/rpc/send-target.ts';
import { sendTransaction } from '../../../chain/rpc/send-transaction.ts';

export interface NodeSendDependencies extends SendDependencies {
  /** Called with the result of each send. */
  onResponse?: ((result: SendResult) => void) | undefined;
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

/**
 * Sends the bytes to every address at once, and waits for all of them.
 * @param onAccepted called with the name of the first node that has the transaction, without waiting for
 * slower ones. When it fails, the send fails.
 */
export async function sendToNodes(
  targets: readonly SendTarget[],
  send: SignedSend,
  dependencies: NodeSendDependencies,
  onAccepted: (name: string) => Promise<void>,
): Promise<BroadcastResult> {
  let isAccepted = false;
  const outcomes = await Promise.all(
    targets.map(async (target) => {
      const outcome = await sendTransaction(target, send, dependencies);
      dependencies.onResponse?.(outcome.result);
      if (hasIt(outcome) && !isAccepted) {
        isAccepted = true;
        await onAccepted(target.name);
      }
      return outcome;
    }),
  );
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

/** A transaction that landed already has reached its goal (contract/intents#broadcast). */
function hasIt({ result }: SendOutcome): boolean {
  return result === 'accepted' || result === 'already_processed';
}
