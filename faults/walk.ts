import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { PROJECT_ROOT } from '../sandbox/shared/sandbox-folder.ts';
import { connectDatabase, type Database } from '../src/db/client.ts';
import { connectBus } from '../src/shared/bus/connect.ts';
import { readConsumer } from '../src/shared/bus/durable-consumers.ts';
import { consumers } from '../src/shared/bus/topology.ts';
import { wait } from '../src/shared/loop.ts';
import { type Population, type PopulationSize, startPopulation } from './clients/population.ts';
import type { Deployment } from './deployment/deployment.ts';
import { documentedAnswers } from './evidence/documented-answers.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { RequestEntry } from './evidence/histories.ts';
import { readChain } from './evidence/read-chain.ts';
import { keepDeletedLog, readDatabase } from './evidence/read-database.ts';
import { openWork } from './evidence/read-open-work.ts';
import { judge, type Verdict } from './judge/judge.ts';
import { type FaultInTime, runNemesis } from './nemesis/nemesis.ts';
import type { PlanStep } from './plan/fault-plan.ts';

export interface WalkOptions extends PopulationSize {
  readonly seed: number;
  readonly minutes: number;
  readonly plan: readonly PlanStep[];
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface WalkResult {
  readonly faults: readonly FaultInTime[];
  readonly evidence: Evidence;
  readonly verdicts: readonly Verdict[];
  readonly unexpectedExits: Readonly<Record<string, number>>;
  /** Seconds from the end of the clients until nothing was left to do. */
  readonly restSeconds: number;
}

/** Longer than every time that the contract names: a window of a blockhash, a lease, a retry, finality. */
const REST_WITHIN_MS = 240_000;
const POLL_MS = 500;
/** Time that a reader of the log may take to deliver what the log already has. */
const READERS_WITHIN_MS = 60_000;

/** Clients work while the nemesis carries out its plan; then everything is mended, comes to rest, and is judged. */
export async function walk(deployment: Deployment, options: WalkOptions): Promise<WalkResult> {
  const { seed, minutes, plan, signal, log } = options;
  const startedAt = performance.now();
  const sinceStart = () => Math.round(performance.now() - startedAt);
  const ending = new AbortController();
  const requests: RequestEntry[] = [];
  const givingUp = new AbortController();
  const setting = {
    origin: deployment.origin,
    requests,
    sinceStart,
    ending: ending.signal,
    givingUp: AbortSignal.any([signal, givingUp.signal]),
  };
  const sql = connectDatabase(deployment.direct.databaseUrl, { applicationName: 'faults', connections: 2 });
  let population: Population | undefined;
  try {
    await keepDeletedLog(sql);
    population = await startPopulation(deployment, sql, setting, seed, options);
    log(`clients are connected; faults for ${minutes} minutes`);
    const working = population.run();
    const failing = new AbortController();
    working.catch(() => failing.abort());
    const over = AbortSignal.any([signal, failing.signal, AbortSignal.timeout(minutes * 60_000)]);
    const faults = await runNemesis(deployment, plan, sinceStart, over, (fault) =>
      log(
        `${fault.kind} ${fault.target}: ${fault.detail}${fault.failure === null ? '' : ` FAILED: ${fault.failure}`}`,
      ),
    );
    await wait(minutes * 60_000, over);
    log('every fault is mended; clients finish what they began');
    ending.abort();
    const patience = setTimeout(() => givingUp.abort(), REST_WITHIN_MS);
    const { orders, fedTrades } = await working.finally(() => clearTimeout(patience));
    const restedAt = performance.now();
    await deployment.quieten();
    await comeToRest(deployment, sql, population, options);
    const restSeconds = (performance.now() - restedAt) / 1000;
    log(`at rest after ${restSeconds.toFixed(1)} s; the judge reads`);
    const evidence: Evidence = {
      wasDisturbed: plan.length > 0,
      fullBrokers: faults.flatMap(({ fromMs, isNamed }) =>
        isNamed === undefined ? [] : [{ fromMs, isNamed }],
      ),
      histories: {
        requests,
        orders,
        fedTrades,
        readers: population.readers.map((reader) => reader.history()),
        receivers: population.receiverHistories(),
      },
      database: await readDatabase(sql),
      chain: await readChain(deployment.direct.rpcUrl, sql, population.wallets),
      documented: documentedAnswers(await Bun.file(join(PROJECT_ROOT, 'docs/openapi.json')).json()),
    };
    const unexpectedExits = Object.fromEntries(
      [...deployment.processes].map(([name, { unexpectedExits: count }]) => [name, count]),
    );
    return { faults, evidence, verdicts: judge(evidence), unexpectedExits, restSeconds };
  } finally {
    ending.abort();
    givingUp.abort();
    await population?.close();
    await sql.end({ timeout: 1 });
  }
}

/** Waits until nothing is left to do; what is left after that is stuck, and the judge says so. */
async function comeToRest(
  { direct }: Deployment,
  sql: Database,
  { readers }: Population,
  { signal, log }: WalkOptions,
): Promise<void> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(REST_WITHIN_MS)]);
  let left: string | null = 'nothing was looked at';
  const [clock] = await sql<{ now: Date }[]>`select now()`;
  const since = clock?.now ?? new Date();
  let areCountsDue = false;
  for (let quiet = 0; quiet < 3 && !late.aborted; ) {
    const before = left;
    left = await describeOpenWork(sql, direct.natsUrl, since).catch((error: unknown) => String(error));
    if (left !== null && kindOf(left) !== kindOf(before)) log(left);
    quiet = left === null ? quiet + 1 : 0;
    // Holders of a slot that was rolled back count from the next list of accounts on.
    if (quiet === 1 && !areCountsDue) {
      await makeSnapshotsDue(sql);
      areCountsDue = true;
    }
    await wait(POLL_MS, late);
  }
  signal.throwIfAborted();
  if (left !== null) log(`not at rest in time: ${left}`);
  const [row] = await sql<{ last: bigint | null }[]>`select max(id) as last from stream_log`;
  const last = row?.last ?? 0n;
  const readersLate = AbortSignal.any([signal, AbortSignal.timeout(READERS_WITHIN_MS)]);
  while (!readersLate.aborted && !readers.every((reader) => reader.hasReached(last)))
    await wait(POLL_MS, readersLate);
}

/** A sentence without its numbers, so that a changing count is not said again. */
function kindOf(sentence: string | null): string | undefined {
  return sentence?.replaceAll(/[0-9a-f-]{36}|[0-9]+/g, '');
}

/** Describes the work that is left after this time; null when everything has come to rest. */
async function describeOpenWork(sql: Database, natsUrl: string, since: Date): Promise<string | null> {
  const open = await openWork(sql);
  if (open.length > 0) return `${open.length} open, such as ${open[0]}`;
  const waiting = await waitingFacts(natsUrl);
  if (waiting > 0) return `${waiting} facts wait for ingest`;
  const unproven = await unprovenTokens(sql, since);
  if (unproven > 0) return `${unproven} tokens are not proven to be read`;
  const [due] = await sql<{ count: number }[]>`
    select count(*)::int as count from holder_counting
    where snapshot_slot is not null and next_snapshot_at <= now()`;
  return due === undefined || due.count === 0 ? null : `${due.count} tokens wait for their holders`;
}

/** Has the holders of every token counted anew from the accounts on chain. */
async function makeSnapshotsDue(sql: Database): Promise<void> {
  await sql`update holder_counting set next_snapshot_at = now()`;
}

async function waitingFacts(natsUrl: string): Promise<number> {
  const connection = await connectBus(natsUrl, 'faults-rest');
  try {
    const manager = await jetstreamManager(connection);
    const { num_pending, num_ack_pending } = await readConsumer(manager, consumers.ingest);
    return num_pending + num_ack_pending;
  } finally {
    await connection.close();
  }
}

/**
 * Tokens with a pool whose source is not proven to be read since. A pool in which nothing but a claim of fees happened is
 * proven without being walked.
 */
async function unprovenTokens(sql: Database, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(distinct pool.mint_address)::int as count
    from token_pools as pool left join source_proofs as proof using (mint_address)
    where pool.unusable_reason is null and proof.through is distinct from greatest(proof.through, ${since})`;
  return row?.count ?? 0;
}
