import { type Guide, neighboursOf } from '../guides/catalogue.ts';
import type { RenderedMarkdown } from '../guides/render-markdown.ts';
import { type Html, html } from '../html.ts';
import type { Links } from '../links.ts';
import { frame, renderPage } from './page.ts';
import { guideNavigation, outline } from './side-navigation.ts';

/** One guide, with the guides before and after it on its paths. */
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
  const all = neighboursOf(guide);
  const link = (kind: string, label: string, path: string | undefined, to: Guide | undefined) =>
    to &&
    html`<a class="${kind}" href="${links.guide(to.slug)}"><small>${[label, path].filter(Boolean).join(' · ')}</small>${to.title}</a>`;
  return html`<nav class="neighbours" aria-label="Neighbouring guides">
${all.map(({ path, before }) => link('before', 'Before', path, before))}
${all.map(({ path, after }) => link('after', 'Next', path, after))}</nav>`;
}
