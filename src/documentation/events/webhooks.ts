import { Type } from '@sinclair/typebox';
import { RevokedKeyEventSchema } from '../../features/identity/schema.ts';
import {
  AccountableEndpointEventSchema,
  ChangedEndpointEventSchema,
  EndpointEventSchema,
  FailingEndpointEventSchema,
} from '../../features/webhooks/endpoints/schema.ts';
import { UuidField } from '../../shared/field-schemas.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import { type DocumentedEvent, LATER } from './documented-event.ts';

const {
  pausedUntil: _pausedUntil,
  pauseReason: _pauseReason,
  signingKeyIds: _signingKeyIds,
  warnings: _warnings,
  ...endpoint
} = recorded.getWebhookEndpoint;
const KEY_ID = '7Kq2LmNpRsTv4fGh';

/** The beginning of a sentence that each event completes. */
const ENDPOINT = 'The endpoint as `getWebhookEndpoint` returns it, without `signingKeyIds` and `warnings`';

export const webhookEvents = {
  'webhook_endpoint.failing': {
    schema: FailingEndpointEventSchema,
    meaning: 'Every attempt to one of your endpoints has failed for 20 minutes.',
    data: `${ENDPOINT}, and \`failingSince\`.`,
    reaction:
      'Look at its latest deliveries with `listWebhookAttempts` and repair the receiver. Deliveries are retried meanwhile; after five days without a success the endpoint is disabled. The event comes once, until an attempt succeeds.',
    subject: endpoint.id,
    example: { ...endpoint, failingSince: endpoint.updatedAt },
  },
  'webhook_endpoint.disabled': {
    schema: EndpointEventSchema,
    meaning: 'One of your endpoints was disabled and receives nothing until you enable it.',
    data: `${ENDPOINT}; \`disabledReason\` is the reason.`,
    reaction:
      'Repair the receiver, enable the endpoint, and replay deliveries that ended as `endpoint_disabled`. This event reaches your other endpoints: have one at another address that selects `webhook_endpoint.*`.',
    subject: endpoint.id,
    example: { ...endpoint, status: 'disabled', disabledReason: 'failing', version: 2, updatedAt: LATER },
  },
  'webhook_endpoint.created': {
    schema: AccountableEndpointEventSchema,
    meaning:
      'Your account has a new webhook endpoint. The other endpoints get it; the new one gets `webhook.ping`.',
    data: `${ENDPOINT}, and \`byKeyId\`, the key that created it.`,
    reaction:
      'Compare it with what you have set up. An endpoint that nobody of yours created means that the key in `byKeyId` has leaked: revoke it with `revokeApiKey`, and delete the endpoint.',
    subject: endpoint.id,
    example: { ...endpoint, byKeyId: KEY_ID },
  },
  'webhook_endpoint.changed': {
    schema: ChangedEndpointEventSchema,
    meaning: 'An endpoint of your account was changed: its URL, description or filters, or it was enabled.',
    data: `${ENDPOINT}, \`byKeyId\`, the key that changed it, and \`changes\`, the names of the changed fields.`,
    reaction: 'Check that the change is yours, `url` first of all: events go there from now on.',
    subject: endpoint.id,
    example: { ...endpoint, version: 2, updatedAt: LATER, byKeyId: KEY_ID, changes: ['url', 'eventTypes'] },
  },
  'webhook_endpoint.secret_rotated': {
    schema: AccountableEndpointEventSchema,
    meaning: 'The signing secret of an endpoint was replaced. The event contains no secret.',
    data: `${ENDPOINT}; \`byKeyId\` is the key that rotated it, and \`previousSecretExpiresAt\` says how long the old secret signs as well.`,
    reaction:
      'If the rotation is not yours, revoke the key in `byKeyId` and rotate again. The old secret verifies the event until `previousSecretExpiresAt`, and the public key of the endpoint always does.',
    subject: endpoint.id,
    example: { ...endpoint, secretRotatedAt: LATER, version: 2, updatedAt: LATER, byKeyId: KEY_ID },
  },
  'api_key.revoked': {
    schema: RevokedKeyEventSchema,
    meaning: 'An API key of your account was revoked, by a key of the account or by an operator.',
    data: 'Id and name of the key, when it was revoked, and the key that did it.',
    reaction: 'Check that the revocation is yours, and replace the key where it is still used.',
    subject: '4fGh7Kq2LmNpRsTv',
    example: {
      keyId: '4fGh7Kq2LmNpRsTv',
      name: 'reports',
      revokedAt: LATER,
      revokedByKeyId: KEY_ID,
    },
  },
  'webhook.ping': {
    schema: Type.Object({ endpointId: UuidField }, { additionalProperties: false }),
    meaning: 'An endpoint was created or enabled again. Only that endpoint gets it.',
    data: 'The id of the endpoint.',
    reaction: 'Verify the signature and respond with 204: this proves that your receiver has the secret.',
    subject: endpoint.id,
    example: { endpointId: endpoint.id },
  },
} satisfies Record<string, DocumentedEvent>;
