import { type Audience, type EventName, eventCatalogue, eventType } from '../../shared/events/catalogue.ts';
import { documentedEvents } from '../events/documented-events.ts';
import { eventSchemaDocument, exampleEvent } from '../events/event-documents.ts';
import { codeBlock } from '../highlight.ts';
import { breakable, code, html, prose } from '../html.ts';
import type { Links } from '../links.ts';
import type { DocumentationOptions } from '../options.ts';
import { audienceBadge } from './events-page.ts';
import { frame, renderPage } from './page.ts';
import { eventsNavigation } from './side-navigation.ts';
import { verification } from './verification.ts';

/** The page of one event type: its meaning, its schema, an example, and how to verify it. */
export function eventPage(name: EventName, links: Links, options: DocumentationOptions): string {
  const { meaning, data, reaction } = documentedEvents[name];
  const { audience, subject } = eventCatalogue[name];
  return renderPage(links, {
    title: eventType(name),
    section: 'events',
    body: frame({
      side: eventsNavigation(links, name),
      text: html`<h1 class="name">${breakable(name)}</h1>
<p>${code(eventType(name))} ${audienceBadge(name)}</p>
<p class="lead">${prose(meaning)}</p>
<dl class="entry">
<dt>Who receives it</dt><dd>${receivers(name, audience)}</dd>
<dt>subject</dt><dd>${subject}</dd>
<dt>data</dt><dd>${prose(data)}</dd>
<dt>What to do with it</dt><dd>${prose(reaction)}</dd>
</dl>
<h2 id="example">Example</h2>
<p>${prose('The body of the request, with `Content-Type: application/cloudevents+json`.')}</p>
${codeBlock(JSON.stringify(exampleEvent(name, options), null, 2), 'json')}
<h2 id="schema">Schema of data</h2>
<p>${prose('This address, which is also the `dataschema` of the event, returns the schema to every client that does not ask for HTML, and to')}
<a href="${links.event(name)}?format=json">?format=json</a>.</p>
${codeBlock(JSON.stringify(eventSchemaDocument(name, options), null, 2), 'json')}
${verification()}`,
    }),
  });
}

const RECEIVERS: Readonly<Record<Audience, string>> = {
  public: 'Every account with an endpoint that subscribed to it.',
  account: 'Only endpoints of the account that owns the fact.',
  followers: 'Only endpoints that name this type in full, and its subject.',
};

function receivers(name: EventName, audience: Audience): string {
  return name === 'webhook.ping'
    ? 'Only the endpoint that was created or enabled, whatever its event types.'
    : RECEIVERS[audience];
}
