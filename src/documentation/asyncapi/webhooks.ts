import { type EventName, eventCatalogue, eventNames, eventType } from '../../shared/events/catalogue.ts';
import { documentedEvents } from '../events/documented-events.ts';
import { DELIVERY_TYPE, deliveryHeaders, envelopeSchema } from '../events/envelope-schema.ts';
import { exampleEvent } from '../events/event-documents.ts';
import type { SchemaOptions } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';

/** The channel of webhooks, its only operation, and a message for each event type (contract/webhooks). */
export function webhookChannel(options: DocumentationOptions, schemas: SchemaOptions) {
  return {
    channel: {
      title: 'Webhooks',
      // Every subscriber has its own address, set when it creates the endpoint.
      address: null,
      description:
        'POST requests to the endpoints of an account: at least once, in no promised order, signed.',
      messages: Object.fromEntries(
        eventNames.map((name) => [idOf(name), { $ref: `#/components/messages/${idOf(name)}` }]),
      ),
      bindings: { http: { bindingVersion: '0.3.0' } },
    },
    operation: {
      action: 'receive',
      channel: { $ref: '#/channels/webhooks' },
      title: 'Receive an event',
      description: 'Answer with 2xx within 10 seconds; anything else is retried.',
      bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      messages: eventNames.map((name) => ({ $ref: `#/channels/webhooks/messages/${idOf(name)}` })),
    },
    messages: Object.fromEntries(eventNames.map((name) => [idOf(name), messageOf(name, options, schemas)])),
  };
}

function messageOf(name: EventName, options: DocumentationOptions, schemas: SchemaOptions) {
  const { meaning } = documentedEvents[name];
  return {
    name: eventType(name),
    title: name,
    summary: meaning,
    contentType: DELIVERY_TYPE,
    tags: [{ name: eventCatalogue[name].audience }],
    externalDocs: { url: `${options.docsUrl}/reference/events/${eventType(name)}` },
    headers: {
      type: 'object',
      required: Object.keys(deliveryHeaders),
      properties: Object.fromEntries(
        Object.entries(deliveryHeaders).map(([header, { description, schema }]) => [
          header,
          { description, ...schema },
        ]),
      ),
    },
    payload: envelopeSchema(name, options, schemas),
    examples: [{ name: idOf(name), payload: exampleEvent(name, options) }],
  };
}

/** Keys of the document cannot contain a dot. */
function idOf(name: EventName): string {
  return name.replaceAll('.', '_');
}
