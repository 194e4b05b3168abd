import { type EventName, eventNames, eventType } from '../../shared/events/catalogue.ts';
import { documentedEvents } from '../events/documented-events.ts';
import { DELIVERY_TYPE, deliveryHeaders, envelopeSchema } from '../events/envelope-schema.ts';
import type { SchemaOptions } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';

/** `webhooks` of the document: the request that an endpoint receives for each event, by type. */
export function webhookObjects(
  options: DocumentationOptions,
  schemas: SchemaOptions,
): Record<string, object> {
  return Object.fromEntries(
    eventNames.map((name) => [eventType(name), { post: deliveryOf(name, options, schemas) }]),
  );
}

function deliveryOf(name: EventName, options: DocumentationOptions, schemas: SchemaOptions) {
  const { meaning, data } = documentedEvents[name];
  return {
    operationId: `receive_${name.replaceAll('.', '_')}`,
    tags: ['Webhooks'],
    summary: eventType(name),
    description: `${meaning}\n\n\`data\`: ${data}`,
    security: [],
    parameters: Object.keys(deliveryHeaders).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: {
      required: true,
      content: {
        [DELIVERY_TYPE]: {
          schema: envelopeSchema(name, options, schemas),
        },
      },
    },
    responses: {
      '2XX': { description: 'Accepted. It is not sent again.' },
      '4XX': {
        description: 'Refused. It is retried; 410 disables the endpoint, 429 with `Retry-After` pauses it.',
      },
      '5XX': { description: 'Failed. It is retried; 503 with `Retry-After` pauses the endpoint.' },
    },
  };
}

/** The headers of a delivery as parameters, for `components`. */
export const deliveryParameters = Object.fromEntries(
  Object.entries(deliveryHeaders).map(([name, header]) => [
    name,
    { name, in: 'header', required: true, ...header },
  ]),
);
