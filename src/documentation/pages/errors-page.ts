import { type ProblemCode, problemAreas, problemTable } from '../../shared/problem-table.ts';
import { type Content, code as codeText, type Html, html, prose } from '../html.ts';
import type { Links } from '../links.ts';
import { type ResultArea, resultAreas } from '../problems/result-areas.ts';
import { retryAdvice } from '../problems/retry.ts';
import { frame, renderPage } from './page.ts';
import { errorsNavigation, outline } from './side-navigation.ts';

/** An entry of the list. The `type` of a problem leads to its anchor, which is the code. */
interface Entry {
  id: string;
  code: string;
  /** Shown next to the code. */
  marks: Content;
  meaning: string;
}

interface Group {
  id: string;
  title: string;
  text?: string;
  /** What its entries are. */
  noun: 'code' | 'result';
  entries: readonly Entry[];
}

/** Lists every problem code and every result code with a filter; each has a page of its own. */
export function errorsPage(links: Links): string {
  const areas = [
    ...problemAreas.map(({ id, title }) => ({ id: `area-${id}`, title })),
    ...resultAreas.map(({ id, title }) => ({ id, title })),
  ];
  return renderPage(links, {
    title: 'Errors',
    description: 'Every problem code of the API, and every result of deliveries and intents.',
    section: 'errors',
    scripts: ['errors.js'],
    body: frame({
      side: errorsNavigation(links),
      outline: outline(areas),
      text: html`${introduction()}
${filter()}
${problemAreas.map(({ id, title, problems }) =>
  list(links, {
    id: `area-${id}`,
    title,
    noun: 'code',
    entries: Object.keys(problems).map(problemEntry),
  }),
)}
${resultAreas.map((area) =>
  list(links, {
    id: area.id,
    title: area.title,
    text: area.introduction,
    noun: 'result',
    entries: resultEntries(area),
  }),
)}`,
    }),
  });
}

function introduction(): Html {
  return html`<h1>Errors</h1>
<p class="lead">${prose(
    'Every error is a Problem Details document (RFC 9457) with the media type `application/problem+json`. Its `type` leads to the page of its code.',
  )}</p>
<p>${prose(
    'Branch on `code`: it never changes. `title` and `detail` are for people and may be reworded. `requestId` equals the header `X-Request-Id`; name it when you ask for help. When one check finds several failures, the first is `code` and the others are in `causes`.',
  )}</p>
<p>${prose(
    'When a connection breaks, the outcome is unknown. Send the same request again with the same `Idempotency-Key`: it is carried out once at most.',
  )}</p>`;
}

/** The script that implements the filter also shows it. */
function filter(): Html {
  return html`<form class="filter" role="search" aria-label="Errors" data-filter hidden>
<label for="filter">Filter by code, status or text</label>
<input id="filter" type="search" placeholder="token, 409, retry after …" autocomplete="off" spellcheck="false" maxlength="100">
<p><span role="status"></span> <button type="button">Open all</button></p></form>`;
}

function list(links: Links, { id, title, text, noun, entries }: Group): Html {
  return html`<section class="codes" data-area><details><summary><h2 id="${id}">${title}</h2> <span>${entries.length} ${noun}s</span></summary>
${text !== undefined && html`<p>${prose(text)}</p>`}
<ul>${entries.map(
    (
      entry,
    ) => html`<li id="${entry.id}" data-entry="${noun}"><p><a href="${links.error(entry.id)}">${codeText(entry.code)}</a> ${entry.marks}</p>
<p>${prose(entry.meaning)}</p></li>`,
  )}</ul></details></section>`;
}

function problemEntry(name: string): Entry {
  const code = name as ProblemCode;
  const { status, title, detail, meaning = detail } = problemTable[code];
  const { label, tone } = retryAdvice(code);
  return {
    id: code,
    code,
    marks: html`<span class="badge status">${status}</span> <span class="badge ${tone}">${label}</span> <span class="title">${title}</span>`,
    meaning,
  };
}

function resultEntries({ results }: ResultArea): Entry[] {
  return results.map(({ id, code, meaning }) => ({ id, code, marks: null, meaning }));
}
