import { type EventName, eventCatalogue, eventNames, eventType } from '../../shared/events/catalogue.ts';
import { documentedEvents } from '../events/documented-events.ts';
import { code, type Html, html, prose } from '../html.ts';
import type { Links } from '../links.ts';
import { frame, renderPage, table } from './page.ts';
import { eventsNavigation } from './side-navigation.ts';
import { verification } from './verification.ts';

/** The catalogue of events, the rules of deliveries, and how to verify them. */
export function eventsPage(links: Links): string {
  return renderPage(links, {
    title: 'Events',
    section: 'events',
    body: frame({
      side: eventsNavigation(links),
      text: html`<h1>Events</h1>
<p class="lead">${prose('Register an endpoint with `createWebhookEndpoint`, and the service sends it one signed CloudEvent per fact. No polling.')}</p>
<h2 id="catalogue">Catalogue</h2>
<p>${prose('Public events reach every account; account events reach only the account that owns the fact; trades reach only endpoints that name their type in full, and the wallet or mint. Subscribe to `*`, to a prefix such as `build.service.launch.*`, or to full types.')}</p>
${table(
  ['type', 'audience', 'subject', 'meaning'],
  eventNames.map((name) => [
    html`<a href="${links.event(name)}">${code(eventType(name))}</a>`,
    audienceBadge(name),
    eventCatalogue[name].subject,
    prose(documentedEvents[name].meaning),
  ]),
)}
${deliveryRules(links)}
${verification()}`,
    }),
  });
}

export function audienceBadge(name: EventName): Html {
  const { audience } = eventCatalogue[name];
  return html`<span class="badge ${audience}">${audience}</span>`;
}

const rules = [
  'At least once: the same event may arrive more than once. Its `webhook-id` stays the same over attempts and replays; remember the ids you have handled.',
  'In no promised order: compare `time`, or read the record, before you overwrite newer facts.',
  'Any 2xx within 10 seconds is success. Store the event, respond, and work afterwards.',
  'Failures are retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h (each ±20 %) unless the deployment says otherwise; then the delivery is a dead letter, which you can replay.',
  'A 429 or 503 with `Retry-After` pauses the whole endpoint for that long. A 410 disables it. So do five days in which every attempt failed.',
  'Redirects 301, 302, 307 and 308 are followed up to three times with the same body. Only public HTTPS destinations are ever called.',
  'New fields may be added to `data` at any time; removing or changing one makes a new type with a new suffix.',
];

function deliveryRules(links: Links): Html {
  return html`<h2 id="delivery">How deliveries behave</h2>
<ul>${rules.map((rule) => html`<li>${prose(rule)}</li>`)}</ul>
<p><a href="${links.errors}#delivery-results">Why a delivery failed</a> is shown by its <code>lastErrorCode</code>.</p>`;
}
