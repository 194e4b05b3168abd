import type { RouteDefinition } from '../../http/route.ts';
import { eventCatalogue } from '../../shared/events/catalogue.ts';
import { problemTable } from '../../shared/problem-table.ts';
import { guideGroups, type Path, paths } from '../guides/catalogue.ts';
import { codeBlock } from '../highlight.ts';
import { type Html, html } from '../html.ts';
import type { Links } from '../links.ts';
import type { SiteOptions } from '../options.ts';
import { resultAreas } from '../problems/result-areas.ts';
import { renderPage } from './page.ts';

/** The steps of a swap, from its price to its event. */
const steps = [
  ['Quote', 'The exact output, from the pool’s own arithmetic at one slot.'],
  ['Swap', 'A transaction for your wallet, simulated before you see it.'],
  ['Sign', 'In your wallet. A key alone never moves anything.'],
  ['Submit', 'Verified byte by byte, stored before the response.'],
  ['Confirmed', 'Sent until it lands; reported by stream and signed webhook.'],
] as const;

/** The landing page: the purpose of the service, a first request that works, and links to everything. */
export function homePage(links: Links, operations: readonly RouteDefinition[], options: SiteOptions): string {
  return renderPage(links, {
    title: 'Documentation',
    description:
      'Launch tokens, read markets and swap on Solana by API: guides, reference, errors and events.',
    section: 'none',
    body: html`<main id="content" class="home">
<section class="opening">
<div><h1>Launch, trade and follow tokens on Solana.</h1>
<p class="lead">One HTTP API for markets, launches, swaps and signed events. Your wallet signs; Launchwire prepares, verifies, sends and confirms.</p>
<p class="ways"><a class="primary" href="${links.guide('quick-start')}">Quick start</a> <a href="${links.reference}">API reference</a></p></div>
${codeBlock(firstRequests(options), 'sh')}
</section>
<section class="wire"><h2>A swap, end to end</h2>
<ol>${steps.map(([name, meaning]) => html`<li><strong>${name}</strong><span>${meaning}</span></li>`)}</ol>
<p><a href="${links.guide('swaps')}">Follow it with code</a></p></section>
${shelves('Where to begin', paths, links)}
${shelves('All guides', guideGroups, links)}
${machines(links, operations)}
</main>`,
  });
}

function shelves(heading: string, groups: readonly Path[], links: Links): Html {
  return html`<section class="shelves"><h2>${heading}</h2>
<div>${groups.map(
    ({ title, guides }) =>
      html`<div class="shelf"><h3>${title}</h3><ul>${guides.map(
        (guide) =>
          html`<li><a href="${links.guide(guide.slug)}">${guide.title}</a><span>${guide.summary}</span></li>`,
      )}</ul></div>`,
  )}</div></section>`;
}

function firstRequests({ publicUrl }: SiteOptions): string {
  return `# Reading needs no key
curl "${publicUrl}/api/v2/tokens?limit=2"

# Your account: use the key that npm start printed
curl "${publicUrl}/api/v2/me" \\
  -H "Authorization: Bearer $LAUNCHWIRE_API_KEY"`;
}

function machines(links: Links, operations: readonly RouteDefinition[]): Html {
  const count = (table: object) => Object.keys(table).length;
  const resultCount = resultAreas.flatMap(({ results }) => results).length;
  const entries = [
    [
      links.reference,
      `${operations.length} operations`,
      'each with samples, fields, errors, and a form to try it',
    ],
    [
      links.errors,
      `${count(problemTable)} problem codes`,
      `each with its cause, and whether to retry; and ${resultCount} results of deliveries and intents`,
    ],
    [links.events, `${count(eventCatalogue)} event types`, 'each with a schema and an example'],
    [links.document('openapi.json'), 'openapi.json', 'OpenAPI 3.1, for clients and tools'],
    [links.document('asyncapi.json'), 'asyncapi.json', 'AsyncAPI 3, for streams and webhooks'],
    [links.document('postman.json'), 'postman.json', 'a collection for Postman and Bruno'],
    [links.document('llms.txt'), 'llms.txt', 'the map of this site for language models'],
  ] as const;
  return html`<section class="machines"><h2>Reference</h2>
<ul>${entries.map(([href, label, use]) => html`<li><a href="${href}">${label}</a><span>${use}</span></li>`)}</ul></section>`;
}
