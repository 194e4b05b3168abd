import type { Schemas } from '../../operations.ts';
import { type Command, CommandFailed, defined, type Invocation } from '../command.ts';
import { has, need, needArgument } from '../kit/command.ts';
import { choice, flag, text } from '../kit/option.ts';
import { take } from '../operation-command.ts';
import { addressOf } from '../settings.ts';
import { readTime, time } from '../time.ts';

const RECOVERED = ['missed', 'retrying', 'dead_letter', 'succeeded'] as const;
/** Deliveries of a status that are counted, or looked through for the last success. */
const LOOKED_THROUGH_MAX = 1_000;
const COUNTS_WITHIN_MS = 10_000;
const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

/** If `--since` is unset, it shows what it would recover, and sends nothing. */
export const deliveryRecovery: Command = {
  name: 'deliveries recover',
  summary: 'Deliver to an endpoint what it did not get since a time, and wait until that is under way',
  details:
    'What it missed while it was disabled, what waits for another attempt, and what ended as dead letter. The endpoint has to be enabled; a pause that it asked for still holds. If --since is unset, it sends nothing: it shows the last outage of the endpoint, or of each endpoint of the account, and the command that recovers it.',
  arguments: { endpoint: text('id of the endpoint, which --since needs') },
  options: {
    since: time('what was recorded from this time on'),
    only: choice('one kind of them', RECOVERED, { ifUnset: 'missed, retrying and dead_letter' }),
    'no-wait': flag('end when the operation is queued'),
  },
  examples: [ID, `${ID} --since 2026-11-20T10:00:00Z`],
  async run(invocation) {
    const { options } = invocation;
    const names = ['since', 'only', 'no-wait'];
    return names.some((name) => options[name] !== undefined) ? recover(invocation) : showOutages(invocation);
  },
};

async function recover(invocation: Invocation): Promise<void> {
  const { client, output, signal, options } = invocation;
  const since = readTime(need(options, 'since'));
  const endpointId = needArgument(invocation.arguments, 'endpoint');
  const only = RECOVERED.find((one) => one === options.only);
  const parameters = { endpointId, since, ...defined({ statuses: only && [only] }) };
  const endpoint = output.isJson ? null : await client().getWebhookEndpoint({ endpointId }, { signal });
  const queued = await client().recoverWebhookDeliveries(parameters, { signal });
  if (has(options, 'no-wait')) return output.record(queued);
  output.note(`queued: operation ${queued.id}`);
  const ended = await client().waitForOperation(queued.id, { signal });
  if (ended.status !== 'succeeded') {
    throw new CommandFailed(`operation ${ended.id} ${ended.status}: ${ended.error?.detail ?? 'no detail'}`);
  }
  if (endpoint === null) return output.record(ended);
  output.line(ended, await sentencesOf(invocation, ended));
  if (typeof endpoint.pausedUntil === 'string')
    output.note(
      `The endpoint is paused (${endpoint.pauseReason}): they are sent at ${endpoint.pausedUntil}.`,
    );
  output.note(
    `To see which failed again: launchwire deliveries list ${endpointId} --status retrying. Each try counts.`,
  );
}

/** The counts of an ended recovery, from its file. It has succeeded also when they cannot be read. */
async function sentencesOf(invocation: Invocation, ended: Schemas['Operation']): Promise<string> {
  const { settings, options, signal } = invocation;
  try {
    const link = new URL(ended.resultUrl ?? '');
    // By the address under which this machine reaches the deployment, which may not be the public one.
    const url = new URL(`${link.pathname}${link.search}`, addressOf(options.url, settings));
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(COUNTS_WITHIN_MS)]),
    });
    if (!response.ok) throw new Error(`${response.status} from ${url.origin}`);
    return countsOf((await response.json()) as RecoveryCounts);
  } catch (error) {
    signal.throwIfAborted();
    return `Done; the counts could not be read (${error instanceof Error ? error.message : error}).`;
  }
}

interface RecoveryCounts {
  matched: number;
  skipped: Record<string, number>;
}

function countsOf({ matched, skipped }: RecoveryCounts): string {
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0);
  const skips = reasons.reduce((sum, [, count]) => sum + count, 0);
  const why = reasons.map(([code, count]) => `${count} ${code}`).join(', ');
  return `${deliveriesOf(matched - skips)} sent${skips > 0 ? `, ${skips} skipped (${why})` : ''}`;
}

const deliveriesOf = (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`);

interface Outage {
  endpointId: string;
  /** The creation of the last delivery before it that succeeded at its first attempt. */
  since: string;
  retrying: number;
  deadLetter: number;
}

async function showOutages(invocation: Invocation): Promise<void> {
  const { client, output, signal } = invocation;
  const { endpoint: endpointId } = invocation.arguments;
  const endpoints =
    endpointId === undefined
      ? (await client().listWebhookEndpoints({}, { signal })).data
      : [await client().getWebhookEndpoint({ endpointId }, { signal })];
  const outages: Outage[] = [];
  const notes: string[] = [];
  for (const endpoint of endpoints) {
    const found = await lastOutage(invocation, endpoint);
    if (found === null) continue;
    const { outage, older } = found;
    outages.push(outage);
    if (endpoint.status !== 'enabled')
      notes.push(
        `${endpoint.id} is disabled. Enable it first: launchwire endpoints update ${endpoint.id} --status enabled`,
      );
    if (older > 0)
      notes.push(
        `${deliveriesOf(older)} to ${endpoint.id} from before it did not arrive either: an earlier --since takes them.`,
      );
    notes.push(`To send them now: launchwire deliveries recover ${endpoint.id} --since ${outage.since}`);
  }
  output.table(outages, ['endpointId', 'since', 'retrying', 'deadLetter']);
  for (const note of notes) output.note(note);
}

/**
 * The newest run of deliveries that did not arrive: those since the last delivery before it that succeeded at its
 * first attempt. Null where all have arrived. `older` are those that did not arrive before.
 */
async function lastOutage(
  { client, signal }: Invocation,
  { id: endpointId, createdAt }: Schemas['WebhookEndpoint'],
): Promise<{ outage: Outage; older: number } | null> {
  const list = (filter: { status: Schemas['WebhookDelivery']['status']; createdBefore?: string }) =>
    client().listWebhookDeliveries.all({ endpointId, limit: 100, ...filter }, { signal });
  const retrying = await take(list({ status: 'retrying' }), LOOKED_THROUGH_MAX);
  const deadLetters = await take(list({ status: 'dead_letter' }), LOOKED_THROUGH_MAX);
  const lost = [...retrying, ...deadLetters];
  const [last] = lost
    .map((delivery) => delivery.createdAt)
    .sort()
    .reverse();
  if (last === undefined) return null;
  let since = createdAt;
  let left = LOOKED_THROUGH_MAX;
  for await (const before of list({ status: 'succeeded', createdBefore: last })) {
    since = before.createdAt;
    left -= 1;
    if (before.attemptCount === 1 || left === 0) break;
  }
  const isOf = (delivery: Schemas['WebhookDelivery']) => delivery.createdAt >= since;
  const outage = {
    endpointId,
    since,
    retrying: retrying.filter(isOf).length,
    deadLetter: deadLetters.filter(isOf).length,
  };
  return { outage, older: lost.length - outage.retrying - outage.deadLetter };
}
