import { type Content, type Html, html } from '../html.ts';
import type { Links } from '../links.ts';

export interface PageContent {
  title: string;
  /** The entry of the navigation that this page belongs to. */
  section: 'reference' | 'errors' | 'events' | 'none';
  /** In this order; the shared one by itself when absent. */
  stylesheets?: readonly string[];
  scripts?: readonly string[];
  body: Content;
}

/** A whole page in the common frame. */
export function renderPage(links: Links, page: PageContent): string {
  const { title, stylesheets = ['documentation.css'], scripts = [], body } = page;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Launchwire</title>
<link rel="icon" href="${links.asset('launchwire.svg')}" type="image/svg+xml">
${stylesheets.map((name) => html`<link rel="stylesheet" href="${links.asset(name)}">`)}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="site">${navigation(links, page.section)}</header>
${body}
<footer class="site-end">Launchwire API, version 2. Codes and event types on these pages are stable; wording may improve.</footer>
${scripts.map((name) => html`<script src="${links.asset(name)}" defer></script>`)}
</body>
</html>
`;
  return document.toString();
}

function navigation(links: Links, current: PageContent['section']): Html {
  const entries = [
    ['reference', links.reference, 'API reference'],
    ['errors', links.errors, 'Errors'],
    ['events', links.events, 'Events'],
  ] as const;
  return html`<nav aria-label="Documentation">
<a class="brand" href="${links.reference}"><img src="${links.asset('launchwire.svg')}" alt="" width="22" height="22"><span>Launchwire</span></a>
${entries.map(
  ([section, href, label]) =>
    html`<a href="${href}"${section === current && html` aria-current="true"`}>${label}</a>`,
)}
<a class="machine" href="${links.openApi}">openapi.json</a>
</nav>`;
}

/** A table that scrolls by itself on narrow screens. */
export function table(heads: readonly string[], rows: readonly (readonly Content[])[]): Html {
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
