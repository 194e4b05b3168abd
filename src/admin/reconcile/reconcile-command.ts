import { has, need } from '../../../packages/client/src/cli/kit/command.ts';
import { flag, required, text, wholeNumber } from '../../../packages/client/src/cli/kit/option.ts';
import { findLanded, type LandingSearch } from '../../intents/recover/find-landed.ts';
import { findUnsubmitted } from '../../intents/recover/find-unsubmitted.ts';
import { restoreSubmission } from '../../intents/recover/store-submission-again.ts';
import { type PublishedEvent, readPublished } from '../../outbox/read-published.ts';
import { findMissingEvents, restoreEvent } from '../../outbox/restore-events.ts';
import { connectBus } from '../../shared/bus/connect.ts';
import { eventType } from '../../shared/events/catalogue.ts';
import { parseInstant } from '../../shared/instant.ts';
import type { AdminDependencies } from '../admin-dependencies.ts';
import { type Command, CommandRefused } from '../command.ts';
import { time, uuid } from '../option.ts';
import { healDeliveries, healReceiver } from './compare-subscribers.ts';

const LIMIT = 1_000;
const LIMIT_MAX = 100_000;

/** Compares and, with `--apply`, heals. A second call finds what is left. */
export const reconcile: Command = {
  name: 'reconcile',
  summary:
    'Finds what a database lost that went back (a promoted standby, a restore): intents that landed, events that only the broker or a subscriber has, deliveries; needs SOLANA_RPC_URL and NATS_URL',
  options: {
    since: time('beginning of the comparison: at least a minute before the loss', required),
    apply: flag('stores what the chain and the broker prove; if unset, nothing changes'),
    limit: wholeNumber('maximum number of intents, and of events, to compare', 'records', {
      most: LIMIT_MAX,
      default: `${LIMIT}`,
    }),
    received: text(
      'the webhook-ids that the subscriber of --endpoint has, one a line; - reads standard input',
      {
        format: 'path',
      },
    ),
    endpoint: uuid('the endpoint of --received'),
  },
  examples: ['--since 2026-11-26T10:00:00Z'],
  async run(dependencies, options, report) {
    const { database, rpcs } = dependencies;
    if (rpcs.length === 0) throw new CommandRefused('SOLANA_RPC_URL is needed: nodes that list transactions');
    const window = { since: parseInstant(need(options, 'since')), limit: Number(options.limit) };
    const isApplied = has(options, 'apply');
    const unsubmitted = await findUnsubmitted(database, window);
    const landings = await findLanded(unsubmitted, rpcs);
    const intents = [];
    for (const landing of landings) {
      if (landing.outcome === 'not_found') continue;
      intents.push(await healIntent(landing, isApplied, dependencies));
      report(intents.length, null, 'intents');
    }
    const { missing, read, isComplete } = await readMissing(dependencies, window);
    const events = [];
    for (const event of missing) events.push(await healEvent(event, isApplied, dependencies));
    const subscriber = await healReceiver(dependencies, window, options, isApplied);
    const deliveries = await healDeliveries(dependencies, window, isApplied);
    return {
      applied: isApplied,
      comparedIntents: unsubmitted.length,
      comparedEvents: read,
      comparedDeliveries: deliveries.compared,
      // Otherwise a later --since, or a larger --limit, compares the rest.
      complete: isComplete && unsubmitted.length < window.limit && deliveries.compared < window.limit,
      intents,
      events,
      missingDeliveries: deliveries.missing,
      openDeliveries: deliveries.open,
      ...(subscriber !== null && { subscriber }),
    };
  },
};

async function healIntent(
  landing: LandingSearch,
  isApplied: boolean,
  { database, outbox, clock }: AdminDependencies,
) {
  const { id, status } = landing.intent;
  if (landing.outcome !== 'landed') return { id, status, signature: null, action: 'look by hand' };
  const { signature } = landing;
  if (!isApplied) return { id, status, signature, action: 'would submit' };
  const isRestored = await restoreSubmission(database, landing, { outbox, clock });
  return { id, status, signature, action: isRestored ? 'submitted' : 'changed meanwhile' };
}

/** Events for one endpoint. The broker does not say for which. */
const restricted = new Set([eventType('webhook.ping')]);

async function healEvent(event: PublishedEvent, isApplied: boolean, { database }: AdminDependencies) {
  const { id, type, subject } = event;
  // Healed intents record their events anew.
  const isRecordedAnew = type.includes('.transaction_intent.');
  if (isRecordedAnew || restricted.has(type)) return { id, type, subject, action: 'named only' };
  if (!isApplied) return { id, type, subject, action: 'would restore' };
  const isRestored = await restoreEvent(database, event);
  return { id, type, subject, action: isRestored ? 'restored' : 'its account is unknown' };
}

async function readMissing({ config, database }: AdminDependencies, window: { since: Date; limit: number }) {
  const { natsUrls } = config;
  if (natsUrls === undefined)
    throw new CommandRefused('NATS_URL is needed: the broker that holds the events');
  const connection = await connectBus({ ...config, natsUrls }, 'launchwire-admin');
  try {
    const { events, isComplete } = await readPublished(connection, window);
    return { read: events.length, isComplete, missing: await findMissingEvents(database, events) };
  } finally {
    await connection.close();
  }
}
