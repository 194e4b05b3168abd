import { type Guide, guides } from '../guides/catalogue.ts';
import type { RenderedMarkdown } from '../guides/render-markdown.ts';
import { type Html, html } from '../html.ts';
import type { Links } from '../links.ts';
import { frame, renderPage } from './page.ts';
import { guideNavigation, outline } from './side-navigation.ts';

/** One guide, with the guides before and after it. */
export function guidePage(guide: Guide, { title, body, sections }: RenderedMarkdown, links: Links): string {
  const headings = sections.filter(({ level }) => level === 2);
  return renderPage(links, {
    title,
    description: guide.summary,
    section: 'guides',
    body: frame({
      side: guideNavigation(links, guide.slug),
      outline: headings.length > 1 && outline(headings),
      text: html`<article class="guide"><h1>${title}</h1>
<p class="lead">${guide.summary}</p>
${body}</article>
${neighbours(guide, links)}`,
    }),
  });
}

function neighbours(guide: Guide, links: Links): Html {
  const at = guides.indexOf(guide);
  const [before, after] = [guides[at - 1], guides[at + 1]];
  return html`<nav class="neighbours" aria-label="Neighbouring guides">
${before && html`<a class="before" href="${links.guide(before.slug)}"><small>Before</small>${before.title}</a>`}
${after && html`<a class="after" href="${links.guide(after.slug)}"><small>Next</small>${after.title}</a>`}</nav>`;
}
