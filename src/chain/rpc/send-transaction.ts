import type { Base64EncodedWireTransaction } from '@solana/kit';
import { judgeSend, type SendDependencies, type SendOutcome } from '../node-trust/judge-send.ts';
import type { SignedSend } from '../node-trust/quarantine.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';

const TIMEOUT_MS = 3_000;

/**
 * Sends signed bytes to a node as they are; the node neither simulates nor repeats them. Its response may quarantine
 * the node, or end a quarantine (`judgeSend`).
 */
export async function sendTransaction(
  rpc: ChainRpc,
  send: SignedSend,
  dependencies: SendDependencies,
): Promise<SendOutcome> {
  const wasQuarantined = rpc.quarantine.isActive;
  const response = await requestSend(rpc, send.signedTransaction);
  return judgeSend(rpc, send, response, { ...dependencies, wasQuarantined });
}

/** Repeats the send that a quarantined node failed, once its period is over. The bytes are public and cannot land twice. */
export async function probeQuarantined(rpc: ChainRpc, dependencies: SendDependencies): Promise<void> {
  const probe = rpc.quarantine.takeProbe(dependencies.clock.now());
  if (probe !== null) await sendTransaction(rpc, probe, dependencies);
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
