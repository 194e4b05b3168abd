import { readFile } from 'node:fs/promises';
import {
  compareReceiver,
  deliverAgain,
  findMissingDeliveries,
} from '../../features/webhooks/deliveries/find-missing-deliveries.ts';
import { findEndpointCondition } from '../../features/webhooks/deliveries/recover-deliveries.ts';
import { replayDelivery } from '../../features/webhooks/deliveries/replay-delivery.ts';
import { Problem } from '../../shared/problem.ts';
import type { AdminDependencies } from '../admin-dependencies.ts';
import { CommandRefused, need, needUuid, type OptionValues, UsageError } from '../command.ts';

interface Window {
  since: Date;
  limit: number;
}

/** Events and the deliveries that they must have. Missing ones are made by the relays, once their event is due again. */
export async function healDeliveries({ database }: AdminDependencies, window: Window, isApplied: boolean) {
  const { compared, missing, open } = await findMissingDeliveries(database, window);
  if (isApplied && missing.length > 0)
    await deliverAgain(database, [...new Set(missing.map(({ eventId }) => eventId))]);
  const action = isApplied ? 'delivered again' : 'would deliver again';
  return { compared, missing: missing.map((one) => ({ ...one, action })), open };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What one subscriber has, from `--received`, and what is recorded of its endpoint; null without the option. */
export async function healReceiver(
  { database }: AdminDependencies,
  window: Window,
  options: OptionValues,
  isApplied: boolean,
) {
  if (options.received === undefined) return null;
  const endpointId = needUuid(options, 'endpoint');
  const endpoint = await findEndpointCondition(database, endpointId);
  if (endpoint === null) throw new CommandRefused(`endpoint ${endpointId} does not exist`);
  const received = await readIds(need(options, 'received'));
  const { unknown, unreceived } = await compareReceiver(database, endpointId, received, window);
  const differences = unknown.map((eventId) => ({
    eventId,
    deliveryId: null as string | null,
    difference: 'only the subscriber has it',
    action: 'named only',
  }));
  for (const { eventId, deliveryId } of unreceived) {
    const action = isApplied ? await replay(database, deliveryId, endpoint.accountId) : 'would deliver again';
    differences.push({ eventId, deliveryId, difference: 'recorded as delivered, not received', action });
  }
  return differences;
}

async function replay(
  database: AdminDependencies['database'],
  deliveryId: string,
  accountId: string,
): Promise<string> {
  try {
    await database.begin((transaction) =>
      replayDelivery(transaction, deliveryId, { accountId, scopes: null }),
    );
    return 'delivered again';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

async function readIds(path: string): Promise<string[]> {
  const text = await (path === '-' ? Bun.stdin.text() : readFile(path, 'utf8')).catch((error) => {
    throw new UsageError(
      `--received ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
  });
  const ids = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const wrong = ids.findIndex((id) => !UUID.test(id));
  if (wrong >= 0) throw new UsageError(`--received: line ${wrong + 1} is no webhook-id`);
  return ids;
}
