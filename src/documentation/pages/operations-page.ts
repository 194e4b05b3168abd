import { pathTemplate, type RouteDefinition } from '../../http/route.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { code, html, prose } from '../html.ts';
import type { Links } from '../links.ts';
import { tagDescriptions } from '../openapi/tags.ts';
import type { SiteOptions } from '../options.ts';
import { frame, renderPage } from './page.ts';
import { groupByTag, methodMark, outline, referenceNavigation } from './side-navigation.ts';

/** All operations, by area. */
export function operationsPage(
  links: Links,
  operations: readonly RouteDefinition[],
  { publicUrl }: SiteOptions,
): string {
  const areas = groupByTag(operations).map(([tag, group]) => ({ id: anchorOf(tag), tag, group }));
  return renderPage(links, {
    title: 'API reference',
    description:
      'Every operation of the Launchwire API, with samples, fields, problems, and a form to try it.',
    section: 'reference',
    body: frame({
      side: referenceNavigation(links, operations),
      outline: outline(areas.map(({ id, tag }) => ({ id, title: tag }))),
      text: html`<h1>API reference</h1>
<p class="lead">${prose(`Every path is below \`${publicUrl}${API_PREFIX}\`. Requests and responses are JSON; errors are Problem Details.`)}</p>
<p>The same for machines: <a href="${links.document('openapi.json')}">OpenAPI 3.1</a>, <a href="${links.document('asyncapi.json')}">AsyncAPI 3</a>,
<a href="${links.document('postman.json')}">a collection for Postman and Bruno</a>. What holds for all operations is in the guides to
<a href="${links.guide('keys-and-scopes')}">keys</a>, <a href="${links.guide('idempotency-and-retries')}">retries</a>, <a href="${links.guide('pagination-and-caching')}">pages and caching</a>, and <a href="${links.guide('rate-limits')}">rate limits</a>.</p>
${areas.map(
  ({
    id,
    tag,
    group,
  }) => html`<section class="operations-of"><h2 id="${id}">${tag}</h2><p>${tagDescriptions[tag]}</p>
<ul>${group.map(
    (operation) =>
      html`<li><a href="${links.operation(operation)}">${methodMark(operation)}${code(pathTemplate(operation))}<span>${operation.summary}</span></a></li>`,
  )}</ul></section>`,
)}`,
    }),
  });
}

function anchorOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}
