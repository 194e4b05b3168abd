import { wait } from '../../shared/loop.ts';
import type { SendDependencies } from '../node-trust/judge-send.ts';
import { type SendTarget, WARM_INTERVAL_MS } from './send-target.ts';
import { probeQuarantined } from './send-transaction.ts';

/**
 * Keeps a connection to every address open until the signal aborts, so that no send waits for a handshake. One that is
 * quarantined is probed instead: a process that sends nothing for a while would never release it.
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
