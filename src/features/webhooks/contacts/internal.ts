import type { Operations } from '../../../http/api-door.ts';
import { refusing } from '../../../http/problems/refusals.ts';
import { mutation, type Route, type RouteDefinition } from '../../../http/route.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { UrlPolicy } from '../../../shared/webhooks/url-policy.ts';
import { ContactBody, ContactSchema } from './schema.ts';
import { setContact } from './set-contact.ts';

const setAccountContact = {
  id: 'setAccountContact',
  method: 'POST',
  path: '/account-contacts',
  tag: 'Webhooks',
  summary: 'Set the contact of an account',
  description:
    'The contact is an endpoint of the account that receives `webhook_endpoint.failing` and `webhook_endpoint.disabled` about the other endpoints. If `url` is null, it is removed. A contact that changes gets a `webhook.ping`. Repeating the request changes nothing.',
  auth: ['accounts'],
  ratePolicy: 'service-key',
  successStatus: 200,
  body: ContactBody,
  exampleBody: {
    accountId: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
    url: 'https://operator.example/launchwire-contact',
  },
  response: ContactSchema,
  problems: [],
} satisfies RouteDefinition;

const definitions: readonly RouteDefinition[] = [setAccountContact];

interface InternalWebhookDependencies {
  outbox: Outbox;
  urlPolicy: UrlPolicy;
  clock: Clock;
}

function routes(dependencies: InternalWebhookDependencies): Route[] {
  return [
    mutation(setAccountContact, async ({ body }, _caller, transaction) => ({
      body: await refusing(undefined, () => setContact(transaction, body, dependencies)),
    })),
  ];
}

export const webhookInternal = { definitions, routes } satisfies Operations;
