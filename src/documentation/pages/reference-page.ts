import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { renderPage } from './page.ts';

/** The interactive reference: Swagger UI over our own document. */
export function referencePage(links: Links): string {
  return renderPage(links, {
    title: 'API reference',
    section: 'reference',
    stylesheets: ['swagger-ui.css', 'documentation.css', 'reference.css'],
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
    body: html`<main id="content"><div id="reference" data-document="${links.openApi}"></div>
<noscript><div class="columns single"><p>The interactive reference needs JavaScript. The same facts are in
<a href="${links.openApi}">openapi.json</a>, which most API tools read.</p></div></noscript></main>`,
  });
}

/** For addresses below `/docs` that do not exist. */
export function notFoundPage(links: Links): string {
  return renderPage(links, {
    title: 'Page not found',
    section: 'none',
    body: html`<main id="content" class="columns single"><div><h1>Page not found</h1>
<p class="lead">The documentation has no page at this address.</p>
<ul>
<li><a href="${links.reference}">API reference</a>: every operation, to read and to try</li>
<li><a href="${links.errors}">Errors</a>: every code, with what to do</li>
<li><a href="${links.events}">Events</a>: every webhook event, with its schema</li>
</ul></div></main>`,
  });
}
