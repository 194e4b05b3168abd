import type { Transaction } from '../../../db/client.ts';
import { endpointRecord } from '../../../shared/webhooks/endpoint-record.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../../shared/webhooks/secret.ts';
import type { EndpointDependencies, EndpointTarget } from './dependencies.ts';
import { lockEndpoint, saveEndpoint } from './rows.ts';
import type { Rotation } from './schema.ts';

/** Seconds for which the old secret also signs by default (contract/webhooks#rotate). */
const DEFAULT_OVERLAP_SECONDS = 86_400;

/**
 * Replaces an endpoint's secret. The old one also signs for `overlapSeconds`; 0 ends it at once. There are
 * two secrets at most: an older one that was still signing ends now, and `endedSecretExpiresAt` gives the
 * time at which it would have ended. The account gets a `webhook_endpoint.secret_rotated`. Throws `webhook_endpoint_not_found`, `insufficient_scope`,
 * `precondition_failed`.
 */
export async function rotateSecret(
  transaction: Transaction,
  target: EndpointTarget,
  overlapSeconds: number = DEFAULT_OVERLAP_SECONDS,
  { outbox, secrets, clock }: EndpointDependencies,
): Promise<Rotation> {
  const { endpointId } = target;
  const { sealedSecret: previous, previousSecretExpiresAt: promised } = await lockEndpoint(
    transaction,
    target,
  );
  const now = clock.now();
  const secret = generateWebhookSecret();
  const expiresAt = overlapSeconds === 0 ? null : new Date(now.getTime() + overlapSeconds * 1000);
  const changes = {
    sealedSecret: sealWebhookSecret(secrets, endpointId, secret),
    secretRotatedAt: now,
    sealedPreviousSecret: expiresAt === null ? null : previous,
    previousSecretExpiresAt: expiresAt,
  };
  const row = await saveEndpoint(transaction, endpointId, changes, now);
  await outbox.append(transaction, {
    name: 'webhook_endpoint.secret_rotated',
    subject: endpointId,
    accountId: target.accountId,
    data: { ...endpointRecord(row), byKeyId: target.keyId },
  });
  return {
    endpointId,
    secret,
    previousSecretExpiresAt: expiresAt?.toISOString() ?? null,
    endedSecretExpiresAt: promised !== null && now < promised ? promised.toISOString() : null,
    version: row.version,
  };
}
