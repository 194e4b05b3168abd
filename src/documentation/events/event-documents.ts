import { API_PREFIX } from '../../shared/api-prefix.ts';
import { type EventName, eventType } from '../../shared/events/catalogue.ts';
import { describe, type JsonSchema } from '../json-schema.ts';
import type { DocumentationOptions } from '../options.ts';
import { documentedEvents } from './documented-events.ts';

/** The JSON Schema at the address in an event's `dataschema`. */
export function eventSchemaDocument(name: EventName, { docsUrl }: DocumentationOptions): JsonSchema {
  const type = eventType(name);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${docsUrl}/reference/events/${type}`,
    title: `data of ${type}`,
    description: documentedEvents[name].data.replaceAll('`', ''),
    ...describe(documentedEvents[name].schema, { direction: 'sent' }),
  };
}

/** An event in the form that a subscriber receives (contract/events#envelope). */
export function exampleEvent(name: EventName, { publicUrl, docsUrl }: DocumentationOptions) {
  const type = eventType(name);
  const { subject, example: data } = documentedEvents[name];
  return {
    specversion: '1.0',
    id: '0191e7a4-9d3c-7f10-8a2b-3c4d5e6f7a8b',
    source: `${publicUrl}${API_PREFIX}`,
    type,
    subject,
    time: '2026-11-25T10:00:14.250Z',
    datacontenttype: 'application/json',
    dataschema: `${docsUrl}/reference/events/${type}`,
    data,
  };
}
