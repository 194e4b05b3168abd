import { NOMINAL_SLOT_MS } from '../../src/chain/pace/protocol.ts';
import { type BenchEnvironment, type BenchServer, createBenchEnvironment } from '../cases/environment.ts';
import { epochMs, type Subscribers } from '../cases/subscribers.ts';
import { createIntentSource, type IntentSource, readIntents } from '../http/prepared-intents.ts';
import { openLoop } from '../load/open-loop.ts';
import { wireRequest } from '../load/wire-request.ts';
import type { Distributions } from '../measurement/distribution.ts';
import { finishAll } from '../measurement/finish-all.ts';
import { until } from '../measurement/until.ts';
import { untilNoOpenWork } from './open-work.ts';
import { storeEndpointOf } from './store-endpoints.ts';
import { watchResults } from './watch-results.ts';

/** About a slot. */
const CONFIRM_MS = NOMINAL_SLOT_MS;
const POLL_MS = 20;

/** The steps of a submission, each from a moment of its own to the next, in milliseconds. */
export interface SubmissionSamples {
  'due → answer': number[];
  'due → node': number[];
  /** 0 where the send was seen before the answer. */
  'answer → node': number[];
  'confirmed → visible': number[];
  'confirmed → webhook': number[];
  'due → webhook': number[];
}

/** A server under test and its subscribers. */
export interface SubmissionServer {
  name: string;
  server: BenchServer;
  /**
   * Whether it serves intents. Those of a round are then read there first, because an api process knows the intents that
   * it has prepared.
   */
  servesIntents: boolean;
}

export interface SubmissionStage {
  environment: BenchEnvironment;
  intents: IntentSource;
  subscribers: Subscribers;
  ours: SubmissionServer;
  bare: SubmissionServer;
  worker: BenchServer;
  relay: BenchServer;
}

/** The product's processes with one subscriber of all its webhooks, and beside them the bare process. */
export async function startSubmissionStage(): Promise<SubmissionStage> {
  const environment = await createBenchEnvironment({ confirmMs: CONFIRM_MS });
  try {
    const { database } = environment;
    await database`create table bench_first_sends (id uuid primary key, transaction bytea not null)`;
    const intents = await createIntentSource(database);
    const subscribers = await environment.startSubscribers();
    await storeEndpointOf(database, environment.secretKey, {
      accountId: intents.key.accountId,
      url: `${subscribers.origin}/ours`,
      eventTypes: ['build.service.transaction_intent.confirmed.v1'],
    });
    const variables = { BENCH_RESPONSE: '{"bare":true}', BENCH_WEBHOOK_URL: `${subscribers.origin}/bare` };
    const [api, worker, relay, bare] = await finishAll([
      environment.startApi(),
      environment.startWorker(),
      environment.startRelay(),
      environment.startServer('bare-first-send.ts', variables),
    ]);
    return {
      environment,
      intents,
      subscribers,
      ours: { name: 'api, worker and relay', server: api, servesIntents: true },
      bare: { name: 'bare process (limit)', server: bare, servesIntents: false },
      worker,
      relay,
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

export interface SubmissionLoad {
  /** When each submission is due, in milliseconds from the start, ascending. */
  arrivalsMs: Float64Array;
  connections: number;
  /** How many of the intents someone waits for at the API. */
  watched: number;
  /** Called when the first submission may be due, and when the last one is answered. */
  onStart?(): void;
  onAnswered?(): void;
}

/** Submits by the schedule to one server, and follows every submission to its end. Fails when one is lost. */
export async function followSubmissions(
  { environment, intents, subscribers }: SubmissionStage,
  { server, servesIntents }: SubmissionServer,
  { arrivalsMs, connections, watched, onStart, onAnswered }: SubmissionLoad,
): Promise<SubmissionSamples> {
  const { node, database } = environment;
  const made = await intents.prepare(arrivalsMs.length);
  if (servesIntents)
    await readIntents(
      server.port,
      intents.key.header,
      made.map(({ request }) => request),
    );
  const requests = made.map(({ request: { path, headers, body } }) =>
    wireRequest('POST', path, headers, body),
  );
  const numberOf = new Map(made.map(({ transaction }, number) => [transaction, number]));
  const numberOfSignature = new Map(made.map(({ signature }, number) => [signature, number]));
  const noTimes = () => new Float64Array(made.length);
  const [answered, sent, confirmed] = [noTimes(), noTimes(), noTimes()];
  node.onSend((transaction) => note(sent, numberOf.get(transaction)));
  node.onConfirmed((signature) => note(confirmed, numberOfSignature.get(signature)));
  await subscribers.startRecording();
  const before = await subscribers.count();
  const watches = watchResults(server.port, intents.key.header);
  const every = Math.max(1, Math.ceil(made.length / watched));
  let next = 0;
  let startedAtMs = 0;
  try {
    const load = openLoop({
      port: server.port,
      connections,
      arrivalsMs,
      expectedStatus: 202,
      // At low rates the server closes connections that are idle.
      reopens: true,
      nextRequest: () => requests[next++],
      onStart: () => {
        startedAtMs = epochMs();
        onStart?.();
      },
      onResponse(number) {
        note(answered, number);
        const id = made[number]?.id;
        if (number % every === 0 && id !== undefined) watches.add(id, number);
      },
    });
    const { errors, firstError, latenciesMs } = await load;
    onAnswered?.();
    if (errors > 0) throw new Error(`${errors} submissions failed, the first: ${firstError}`);
    await subscribers.untilCount(before + made.length);
    const visible = await watches.finish();
    const arrivals = await subscribers.firstArrivals();
    await untilSettled(environment);
    const intentOf = new Map(
      (
        await database<{ id: string; subject: string }[]>`
          select id::text, subject from events where type = 'build.service.transaction_intent.confirmed.v1'`
      ).map(({ id, subject }) => [id, subject]),
    );
    const numberOfId = new Map(made.map(({ id }, number) => [id, number]));
    const webhooks = new Map(
      [...arrivals].flatMap(([id, atMs]) => {
        const number = numberOfId.get(intentOf.get(id) ?? id);
        return number === undefined ? [] : [[number, atMs] as const];
      }),
    );
    if (webhooks.size !== made.length) throw new Error(`${made.length - webhooks.size} webhooks are missing`);
    const numbers = made.map((_, number) => number);
    const at = (times: Float64Array, number: number) => times[number] ?? Number.NaN;
    const due = (number: number) => startedAtMs + (arrivalsMs[number] ?? 0);
    return {
      'due → answer': latenciesMs,
      'due → node': numbers.map((number) => at(sent, number) - due(number)),
      'answer → node': numbers.map((number) => Math.max(0, at(sent, number) - at(answered, number))),
      'confirmed → visible': [...visible].map(([number, atMs]) => atMs - at(confirmed, number)),
      'confirmed → webhook': [...webhooks].map(([number, atMs]) => atMs - at(confirmed, number)),
      'due → webhook': [...webhooks].map(([number, atMs]) => atMs - due(number)),
    };
  } finally {
    node.onSend(null);
    node.onConfirmed(null);
    watches.stop();
  }
}

/** The samples of several runs together. */
export function joinSamples(runs: readonly SubmissionSamples[]): SubmissionSamples {
  return {
    'due → answer': runs.flatMap((run) => run['due → answer']),
    'due → node': runs.flatMap((run) => run['due → node']),
    'answer → node': runs.flatMap((run) => run['answer → node']),
    'confirmed → visible': runs.flatMap((run) => run['confirmed → visible']),
    'confirmed → webhook': runs.flatMap((run) => run['confirmed → webhook']),
    'due → webhook': runs.flatMap((run) => run['due → webhook']),
  };
}

/** Records all steps of a variant. */
export function recordSamples(
  distributions: Distributions,
  variant: string,
  samples: SubmissionSamples,
): void {
  for (const [step, values] of Object.entries(samples)) distributions.record(variant, step, values);
}

/** Notes when something happened for the first time; repeated sends, also those of an earlier round, do not count. */
function note(times: Float64Array, number: number | undefined): void {
  if (number !== undefined && times[number] === 0) times[number] = epochMs();
}

/** Waits until every intent has ended and every webhook is recorded: nothing is left over for the next round. */
async function untilSettled({ database }: BenchEnvironment): Promise<void> {
  const isSettled = async () => {
    const open =
      await database`select from intent_broadcasts union all select from bench_first_sends limit 1`;
    return open.count === 0;
  };
  await until('every submission has ended', isSettled, { pollMs: POLL_MS });
  await untilNoOpenWork(database, POLL_MS);
}
