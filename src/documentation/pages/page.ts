import { type Content, type Html, html } from '../html.ts';
import type { Links } from '../links.ts';

/** An entry of the navigation at the top. */
type SiteSection = 'guides' | 'reference' | 'errors' | 'events' | 'none';

export interface PageContent {
  title: string;
  /** For search engines and previews; one sentence. */
  description?: string;
  section: SiteSection;
  scripts?: readonly string[];
  body: Content;
}

/** Renders a whole page in the common frame. */
export function renderPage(links: Links, page: PageContent): string {
  const { title, description, scripts = [], body } = page;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Launchwire</title>
${description !== undefined && html`<meta name="description" content="${description}">`}
<link rel="icon" href="${links.asset('launchwire.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${links.asset('documentation.css')}">
<script src="${links.asset('theme.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="site">${navigation(links, page.section)}</header>
${body}
<footer class="site-end"><p>Launchwire API, version 2. Problem codes and event types are stable; wording may improve.</p>
<p><a href="${links.document('openapi.json')}">OpenAPI</a> <a href="${links.document('asyncapi.json')}">AsyncAPI</a>
<a href="${links.document('postman.json')}">Postman</a> <a href="${links.document('llms.txt')}">llms.txt</a></p></footer>
${searchDialog(links)}
<script src="${links.asset('site.js')}" type="module"></script>
<script src="${links.asset('search.js')}" type="module"></script>
${scripts.map((name) => html`<script src="${links.asset(name)}" type="module"></script>`)}
</body>
</html>
`;
  return document.toString();
}

function navigation(links: Links, current: SiteSection): Html {
  const entries = [
    ['guides', links.guide('quick-start'), 'Guides'],
    ['reference', links.reference, 'Reference'],
    ['errors', links.errors, 'Errors'],
    ['events', links.events, 'Events'],
  ] as const;
  return html`<nav aria-label="Documentation">
<a class="brand" href="${links.home}"><img src="${links.asset('launchwire.svg')}" alt="" width="24" height="24"><span>Launchwire</span></a>
<ul>${entries.map(
    ([section, href, label]) =>
      html`<li><a href="${href}"${section === current && html` aria-current="true"`}>${label}</a></li>`,
  )}</ul>
<button type="button" class="find" data-search hidden><span>Search</span><kbd>/</kbd></button>
<button type="button" class="theme" data-theme-switch aria-label="Light or dark" hidden></button>
</nav>`;
}

function searchDialog(links: Links): Html {
  return html`<dialog class="search" aria-label="Search" data-documents="${links.search}">
<input type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-label="Search the documentation" placeholder="Search guides, operations, errors, events" autocomplete="off" spellcheck="false" maxlength="100">
<div id="results" role="listbox" aria-label="Results" hidden></div>
<p class="hint" role="status"></p></dialog>`;
}

/** The columns next to the text of a page: navigation and outline. */
export interface Frame {
  /** Navigation of the area, on the left; on narrow screens a button opens it. */
  side: Content;
  /** Outline of the page, on the right; left out on narrow screens. */
  outline?: Content;
  text: Content;
}

/** The three columns of a page. */
export function frame({ side, outline, text }: Frame): Html {
  return html`<div class="columns${!outline && ' wide'}">
<aside class="side" id="menu"><a class="close" href="#content">Close</a>${side}</aside>
<main id="content"><a class="menu" href="#menu">All pages of this area</a>
${text}</main>
${outline && html`<div class="outline">${outline}</div>`}
</div>`;
}

/** A part of a page under a heading, which the outline of the page names. */
export interface PageSection {
  id: string;
  title: string;
  content: Content;
}

export function pageSection({ id, title, content }: PageSection): Html {
  return html`<h2 id="${id}">${title}</h2>${content}`;
}

/** A table that scrolls by itself on narrow screens. */
export function table(heads: readonly string[], rows: readonly (readonly Content[])[]): Html {
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, column) => html`<td data-label="${heads[column]}">${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
