import type { Transaction } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { timedId } from '../../../shared/timed-id.ts';
import { judgeUrl, type UrlPolicy } from '../../../shared/webhooks/url-policy.ts';
import type { Contact } from './schema.ts';

/**
 * Sets the URL of the contact of an account (contract/webhooks#contact), or removes the contact with null; an
 * equal contact stays as it is. A changed contact gets a `webhook.ping`. The text of the URL is judged now,
 * its addresses at every attempt. Throws Refusal for an unknown account or a URL that the policy refuses.
 */
export async function setContact(
  transaction: Transaction,
  { accountId, url }: { accountId: string; url: string | null },
  { outbox, urlPolicy, clock }: { outbox: Outbox; urlPolicy: UrlPolicy; clock: Clock },
): Promise<Contact> {
  const target = url === null ? null : allowed(url, urlPolicy);
  const [row] = await transaction<{ endpointId: string | null; isChanged: boolean }[]>`
    select endpoint_id, is_changed
    from set_webhook_contact(${accountId}::uuid, ${timedId(clock.now())}::uuid, ${target}::text)`;
  if (row === undefined) throw new Refusal('invalid', `account ${accountId} does not exist`, '/accountId');
  const { endpointId, isChanged } = row;
  if (target === null || endpointId === null) return { accountId, endpointId: null, url: null };
  if (isChanged)
    await outbox.append(transaction, {
      name: 'webhook.ping',
      subject: endpointId,
      accountId,
      data: { endpointId },
      onlyEndpointId: endpointId,
    });
  return { accountId, endpointId, url: target };
}

function allowed(url: string, policy: UrlPolicy): string {
  const verdict = judgeUrl(url, policy);
  if (verdict.allowed) return verdict.url.href;
  throw new Refusal('invalid', `the URL policy refuses this destination: ${verdict.detail}`, '/url');
}
