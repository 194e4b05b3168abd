import { wait } from '../../shared/loop.ts';
import { judgeSend, type SendDependencies, type SendOutcome } from '../node-trust/judge-send.ts';
import type { SignedSend } from '../node-trust/quarantine.ts';
import { type SendTarget, WARM_INTERVAL_MS } from './send-target.ts';

/**
 * Sends signed bytes to an address as they are. The address neither simulates nor repeats them. Its response
 * may begin or end its quarantine (`judgeSend`).
 */
export function sendTransaction(
  target: SendTarget,
  send: SignedSend,
  dependencies: SendDependencies,
): Promise<SendOutcome> {
  const wasQuarantined = target.quarantine.isActive;
  return target
    .send(send.signedTransaction)
    .then((response) => judgeSend(target, send, response, wasQuarantined, dependencies));
}

/**
 * Repeats the send that a quarantined node failed, once its quarantine period is over. The bytes are public
 * and cannot land twice.
 */
export async function probeQuarantined(target: SendTarget, dependencies: SendDependencies): Promise<void> {
  const probe = target.quarantine.takeProbe(dependencies.clock.now());
  if (probe !== null) await sendTransaction(target, probe, dependencies);
}

/**
 * Keeps a connection to every address open until the signal aborts, so that no send waits for a handshake. A
 * quarantined address is probed instead, because a process that sends nothing for a while would never release
 * it.
 */
export async function keepWarm(
  targets: readonly SendTarget[],
  dependencies: SendDependencies,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(
      targets.map((target) =>
        target.quarantine.isActive ? probeQuarantined(target, dependencies) : target.warm(),
      ),
    );
    await wait(WARM_INTERVAL_MS, signal);
  }
}
