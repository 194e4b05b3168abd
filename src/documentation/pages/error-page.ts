import { possibleProblems } from '../../http/problems/possible-problems.ts';
import { fieldErrorMeanings } from '../../http/problems/problem-schema.ts';
import { pathTemplate, type RouteDefinition } from '../../http/route.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';
import type { ProblemDefinition } from '../../shared/problems/problem-area.ts';
import { codeBlock } from '../highlight.ts';
import { breakable, type Content, code as codeText, type Html, html, prose } from '../html.ts';
import type { Links } from '../links.ts';
import type { SiteOptions } from '../options.ts';
import { reasonsOf } from '../problems/attempt-reasons.ts';
import { exampleProblem } from '../problems/example-problem.ts';
import type { Result, ResultArea } from '../problems/result-areas.ts';
import { retryAdvice } from '../problems/retry.ts';
import { urlReasons } from '../problems/url-reasons.ts';
import { frame, type PageSection, pageSection, renderPage, table } from './page.ts';
import { errorsNavigation, methodMark, outline } from './side-navigation.ts';

export interface ErrorPageOptions extends SiteOptions {
  links: Links;
  operations: readonly RouteDefinition[];
}

/**
 * The page of one problem code: cause, remedy, whether to retry, an example, and the operations that return
 * it.
 */
export function errorPage(code: ProblemCode, options: ErrorPageOptions): string {
  const { links } = options;
  const { title, detail, meaning = detail } = problemTable[code];
  const retry = retryAdvice(code);
  const sections = sectionsOf(code, options).filter(({ content }) => content !== null);
  return renderPage(links, {
    title: code,
    description: `${title}: meaning, remedy, and whether to retry.`,
    section: 'errors',
    body: frame({
      side: errorsNavigation(links, code),
      outline: outline(sections),
      text: html`<article class="error" id="${code}"><p class="eyebrow">${title}</p>
<h1 class="name">${breakable(code)}</h1>
<p class="marks">${statusMarks(code)} <span class="badge ${retry.tone}">${retry.label}</span></p>
<p class="lead">${prose(meaning)}</p>
${sections.map(pageSection)}</article>`,
    }),
  });
}

/** The page of one result of deliveries or intents. */
export function resultPage(area: ResultArea, result: Result, links: Links): string {
  return renderPage(links, {
    title: result.code,
    description: `${result.code}, a ${area.kind}: meaning and remedy.`,
    section: 'errors',
    body: frame({
      side: errorsNavigation(links, result.id),
      text: html`<article class="error" id="${result.id}"><p class="eyebrow">${area.title}</p>
<h1 class="name">${breakable(result.code)}</h1>
<p class="lead">${prose(result.meaning)}</p>
<h2 id="action">What to do</h2><p>${prose(result.action)}</p>
${attemptReasons(area, result)}
<h2 id="place">Where it is found</h2><p>${prose(area.introduction)}</p></article>`,
    }),
  });
}

function attemptReasons({ id }: ResultArea, { code }: Result): Content {
  const reasons = id === 'delivery-results' ? reasonsOf(code) : null;
  return (
    reasons !== null && html`<h2 id="reasons">Reasons</h2>${meaningsTable('reason of the attempt', reasons)}`
  );
}

/** A problem has one status, or a different one on reads. */
function statusMarks(code: ProblemCode): Content {
  const { status, readStatus } = problemTable[code];
  const mark = (text: string | number) => html`<span class="badge status">${text}</span> `;
  return readStatus === undefined ? mark(status) : [mark(status), mark(`${readStatus} on reads`)];
}

function sectionsOf(code: ProblemCode, options: ErrorPageOptions): PageSection[] {
  const { when, action, context } = problemTable[code];
  return [
    {
      id: 'when',
      title: 'When it happens',
      content: html`<ul>${when.map((situation) => html`<li>${prose(situation)}</li>`)}</ul>`,
    },
    { id: 'action', title: 'What to do', content: html`<p>${prose(action)}</p>` },
    { id: 'retry', title: 'Retry', content: html`<p>${prose(retryAdvice(code).advice)}</p>` },
    { id: 'context', title: 'Context', content: contextFacts(context) },
    ...meaningsWithin(code),
    { id: 'example', title: 'Example', content: codeBlock(exampleText(code, options), 'json') },
    { id: 'operations', title: 'Returned by', content: returnedBy(code, options) },
  ];
}

function contextFacts(context: ProblemDefinition['context'] = {}): Content {
  const facts = Object.entries(context);
  if (facts.length === 0) return null;
  return html`<dl class="fields">${facts.map(
    ([name, { meaning, example }]) => html`<div><dt><code>context.${name}</code></dt>
<dd>${prose(meaning)}, e.g. ${codeText(JSON.stringify(example))}</dd></div>`,
  )}</dl>`;
}

/** Codes within the body of a problem. */
function meaningsWithin(code: ProblemCode): PageSection[] {
  if (code === 'validation_failed') {
    return [
      { id: 'fields', title: 'Codes of fields', content: meaningsTable('errors[].code', fieldErrorMeanings) },
    ];
  }
  if (code === 'webhook_url_disallowed') {
    return [{ id: 'reasons', title: 'Reasons', content: meaningsTable('context.reason', urlReasons) }];
  }
  return [];
}

function meaningsTable(head: string, meanings: Readonly<Record<string, string>>): Html {
  return table(
    [head, 'meaning'],
    Object.entries(meanings).map(([name, meaning]) => [codeText(name), prose(meaning)]),
  );
}

/** An example body with the default text. */
function exampleText(code: ProblemCode, options: ErrorPageOptions): string {
  const operation = returningOperations(code, options.operations)[0];
  const instance = `${API_PREFIX}${operation === undefined ? '/nothing' : pathTemplate(operation)}`;
  const problem = exampleProblem(code, problemTable[code].status, instance, options.docsUrl);
  return JSON.stringify(problem, null, 2);
}

function returningOperations(code: ProblemCode, operations: readonly RouteDefinition[]): RouteDefinition[] {
  return operations.filter((operation) => possibleProblems(operation).includes(code));
}

function returnedBy(code: ProblemCode, { links, operations }: ErrorPageOptions): Html {
  if (code === 'not_found' || code === 'method_not_allowed')
    return html`<p>Any request that matches no operation.</p>`;
  const all = returningOperations(code, operations);
  if (all.length === 0) return html`<p>No operation at present.</p>`;
  return html`<ul class="returned-by">${all.map(
    (operation) =>
      html`<li><a href="${links.operation(operation)}">${methodMark(operation)}<span>${operation.id}</span></a></li>`,
  )}</ul>`;
}
