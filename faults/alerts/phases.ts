import type { Deployment } from '../deployment/deployment.ts';

/** A fault, and the alerts that have to fire because of it. */
export interface Phase {
  readonly name: string;
  readonly seconds: number;
  /** Seconds without a fault afterwards. */
  readonly restSeconds: number;
  readonly alerts: readonly string[];
  begin(deployment: Deployment): Promise<() => Promise<void>>;
}

/** Before the first fault: then nothing may fire. */
export const QUIET_SECONDS = 60;

/** Longer than the objective of a landing allows, and long enough for the number of late ends that a page needs. */
const LANDING_LATE_SECONDS = 130;

/**
 * The faults of the recording, in which a second stands for a minute. The last rest is longer than the hour for which a
 * slow alert waits.
 */
export const phases: readonly Phase[] = [
  {
    name: 'each statement of the apis takes half a second longer',
    seconds: 30,
    restSeconds: 20,
    alerts: ['SubmissionLatencyBudgetFast', 'SubmissionLatencyBudgetSlow'],
    async begin({ links }) {
      const slowed = [...links].filter(([name]) => /^api-\d→postgres$/.test(name)).flatMap(([, one]) => one);
      for (const link of slowed) link.set({ mode: 'slow', delayMs: 250 });
      return async () => {
        for (const link of slowed) link.mend();
      };
    },
  },
  {
    name: 'Postgres is killed',
    seconds: 20,
    restSeconds: 20,
    alerts: ['SubmissionAnswersBudgetFast', 'SubmissionAnswersBudgetSlow'],
    async begin({ processes }) {
      const postgres = processes.get('postgres');
      await postgres?.kill();
      return async () => await postgres?.start();
    },
  },
  {
    name: 'the relays stand still',
    seconds: 30,
    restSeconds: 20,
    alerts: ['DeliveryBudgetFast', 'DeliveryBudgetSlow'],
    begin: (deployment) => standStill(deployment, /^relay-/),
  },
  {
    name: 'the workers stand still',
    seconds: LANDING_LATE_SECONDS,
    restSeconds: 30,
    alerts: ['LandingBudgetFast', 'LandingBudgetSlow'],
    begin: (deployment) => standStill(deployment, /^worker-/),
  },
  {
    name: 'the chain stands still',
    seconds: 60,
    restSeconds: 80,
    alerts: ['FreshnessBudgetFast', 'FreshnessBudgetSlow'],
    begin: (deployment) => standStill(deployment, /^chain$/),
  },
];

async function standStill({ processes }: Deployment, name: RegExp): Promise<() => Promise<void>> {
  const stopped = [...processes.values()].filter((process) => name.test(process.name));
  for (const process of stopped) process.pause();
  return async () => {
    for (const process of stopped) process.resume();
  };
}
