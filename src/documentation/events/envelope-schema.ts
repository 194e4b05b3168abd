import { type TObject, Type } from '@sinclair/typebox';
import { type EventName, eventCatalogue, eventType } from '../../shared/events/catalogue.ts';
import { TimestampField, UuidField } from '../../shared/field-schemas.ts';
import { type JsonSchema, type SchemaOptions, toJsonSchema } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { documentedEvents } from './documented-events.ts';

/** Fields of every event (contract/events#envelope). */
const CloudEventSchema: TObject = Type.Object(
  {
    specversion: Type.Literal('1.0'),
    id: Type.String({ ...UuidField, description: 'The same on every attempt and replay.' }),
    source: Type.String({ format: 'uri', description: 'Address of the API that sent the event.' }),
    type: Type.String({ description: 'What happened.' }),
    subject: Type.String({ description: 'Subject of the event.' }),
    time: Type.String({ ...TimestampField, description: 'When it happened.' }),
    datacontenttype: Type.Literal('application/json'),
    dataschema: Type.String({ format: 'uri', description: 'Address of the schema of `data`.' }),
    data: Type.Object({}, { description: 'The record that the event reports.' }),
  },
  { $id: 'CloudEvent' },
);

/** The schema of the CloudEvent of one type. */
export function envelopeSchema(
  name: EventName,
  { docsUrl }: DocumentationOptions,
  options: SchemaOptions,
): JsonSchema {
  const type = eventType(name);
  return {
    allOf: [
      toJsonSchema(CloudEventSchema, options),
      {
        type: 'object',
        properties: {
          type: { type: 'string', enum: [type] },
          subject: { type: 'string', description: `${eventCatalogue[name].subject}` },
          dataschema: { type: 'string', enum: [`${docsUrl}/reference/events/${type}`] },
          data: toJsonSchema(documentedEvents[name].schema, options),
        },
      },
    ],
  };
}

/** Headers of a delivery (contract/webhooks#signatures), by name. */
export const deliveryHeaders = {
  'webhook-id': {
    description: 'The id of the event, the same on every attempt and replay: keep each once.',
    schema: { type: 'string', format: 'uuid' },
  },
  'webhook-timestamp': {
    description:
      'Unix seconds of this attempt. Refuse one that is more than five minutes away from your clock.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  'webhook-signature': {
    description:
      'Signatures of `id.timestamp.body`, separated by spaces: `v1,` HMAC-SHA256 for each live secret, `v1a,` Ed25519 with the key of the endpoint and, for older receivers, with the one that all endpoints share.',
    schema: { type: 'string' },
  },
  'Launchwire-Delivery-Id': {
    description: 'Id of the delivery: for information, not signed.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Launchwire-Attempt': {
    description: 'Number of the attempt, from 1: for information, not signed.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
} as const;

export const DELIVERY_TYPE = 'application/cloudevents+json';
