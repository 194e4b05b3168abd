import { UsageError, type Values } from '../../../packages/client/src/cli/kit/command.ts';
import { compareReceiver } from '../../features/webhooks/deliveries/compare-receiver.ts';
import { deliverAgain } from '../../features/webhooks/deliveries/deliver-again.ts';
import { findMissingDeliveries } from '../../features/webhooks/deliveries/find-missing-deliveries.ts';
import { findEndpointCondition } from '../../features/webhooks/deliveries/recover-deliveries.ts';
import { replayDelivery } from '../../features/webhooks/deliveries/replay-delivery.ts';
import { isUuid } from '../../shared/field-schemas.ts';
import { Problem } from '../../shared/problem.ts';
import type { AdminDependencies } from '../admin-dependencies.ts';
import { CommandRefused, needUuid, readTextFile } from '../command.ts';

interface Window {
  since: Date;
  limit: number;
}

/** Compares events with the deliveries that they must have. Relays make the missing ones, once their event is due again. */
export async function healDeliveries({ database }: AdminDependencies, window: Window, isApplied: boolean) {
  const { compared, missing, open } = await findMissingDeliveries(database, window);
  if (isApplied && missing.length > 0)
    await deliverAgain(database, [...new Set(missing.map(({ eventId }) => eventId))]);
  const action = isApplied ? 'delivered again' : 'would deliver again';
  return { compared, missing: missing.map((one) => ({ ...one, action })), open };
}

/** What one subscriber has, from `--received`, and what is recorded of its endpoint; null if the option is unset. */
export async function healReceiver(
  { database }: AdminDependencies,
  window: Window,
  options: Values,
  isApplied: boolean,
) {
  if (options.received === undefined) return null;
  const endpointId = needUuid(options, 'endpoint');
  const endpoint = await findEndpointCondition(database, endpointId);
  if (endpoint === null) throw new CommandRefused(`endpoint ${endpointId} does not exist`);
  const received = await readIds(options);
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

async function readIds(options: Values): Promise<string[]> {
  const text = await readTextFile(options, 'received');
  const ids = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const wrong = ids.findIndex((id) => !isUuid(id));
  if (wrong >= 0) throw new UsageError(`--received: line ${wrong + 1} is no webhook-id`);
  return ids;
}
