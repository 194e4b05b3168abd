import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { frame, renderPage } from './page.ts';
import { guideNavigation } from './side-navigation.ts';

/** The page for unknown addresses below `/docs`. */
export function notFoundPage(links: Links): string {
  return renderPage(links, {
    title: 'Page not found',
    section: 'none',
    body: frame({
      side: guideNavigation(links),
      text: html`<h1>Page not found</h1>
<p class="lead">The documentation has no page at this address.</p>
<ul>
<li><a href="${links.home}">Start page</a></li>
<li><a href="${links.reference}">API reference</a>: every operation, to read and to try</li>
<li><a href="${links.errors}">Errors</a>: every code, with what to do</li>
<li><a href="${links.events}">Events</a>: every webhook event, with its schema</li>
</ul>`,
    }),
  });
}
