import { beforeAll, expect, test } from 'bun:test';
import { createChainRpc } from '../../src/chain/rpc.ts';
import type { StepJob } from '../../src/db/jobs/job.ts';
import { type IntentJobDependencies, intentWorker } from '../../src/intents/worker.ts';
import { type SubmittedIntents, startSubmittedIntents } from '../support/intents/submitted-intent.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';

let intents: SubmittedIntents;
beforeAll(async () => {
  intents = await startSubmittedIntents();
});

/** The jobs of intents in a worker without sockets, by name. */
function intentJobs(): ReadonlyMap<string, StepJob> {
  const { db, clock, chain } = intents;
  const { context } = intentContext(db, [createChainRpc(chain.rpcUrl)], clock);
  const ignore = () => {};
  const dependencies: Partial<IntentJobDependencies> = {
    ...context,
    sendOnly: [],
    decisiveClock: clock,
    sendRecorder: context.recorder,
    signatureWakeUps: { states: [] } as never,
    metrics: { onIntentsEnded: ignore, onLandingSettled: ignore } as never,
    onIntentsEnded: ignore,
  };
  const jobs = intentWorker.jobs(dependencies as IntentJobDependencies);
  return new Map(jobs.map((job) => [job.name, job]));
}

test('what landed is read when its intent ends, not at the next look for due work', async () => {
  const { db, chain } = intents;
  const jobs = intentJobs();
  const jobOf = (name: string) => jobs.get(name) ?? expect.unreachable();
  const { id } = await intents.submit();
  const stop = new AbortController();
  // It looks once, before anything has landed, and then for hours only when it is woken.
  const landings = runTestJob({ ...jobOf('intent-landings'), everyMs: 10_000_000 }, { signal: stop.signal });
  await intents.broadcast(chain.rpcUrl);
  chain.advanceSlots(1);
  await jobOf('intent-confirmer').step(stop.signal, undefined as never);
  await eventually('the facts', async () => {
    const [landing] = await db`select facts_at from intent_landings where intent_id = ${id}`;
    return landing?.factsAt ?? null;
  });
  stop.abort();
  await landings;
});
