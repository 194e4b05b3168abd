import { Durations } from '../../src/shared/metrics/durations.ts';
import type { AttemptTrace } from '../model/outcome.ts';

const BOUNDS_MS = [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 120_000, 600_000];
const PHASES = ['queued', 'dns', 'connect', 'tls', 'first_byte', 'total'] as const;

/** How long the phases of attempts took; a phase that was not reached is left out. */
export class PhaseDurations {
  readonly durations = new Durations(
    {
      name: 'launchwire_relay_attempt_phase_seconds',
      help: 'Phases of attempts: queued (due until claimed), dns, connect, tls, first_byte, total (all but queued)',
      label: 'phase',
      boundsMs: BOUNDS_MS,
    },
    PHASES,
  );

  add(queuedMs: number, { dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: AttemptTrace): void {
    const phases: Record<(typeof PHASES)[number], number | null> = {
      queued: Math.max(0, queuedMs),
      dns: dnsMs,
      connect: connectMs,
      tls: tlsMs,
      first_byte: firstByteMs,
      total: totalMs,
    };
    for (const phase of PHASES) {
      const ms = phases[phase];
      if (ms !== null) this.durations.observe(phase, ms);
    }
  }
}
