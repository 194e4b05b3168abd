import type { Operation } from '../../http/operation.ts';
import { possibleProblems } from '../../http/possible-problems.ts';
import { fieldErrorMeanings } from '../../http/problem-schema.ts';
import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';
import { type Content, type Html, html, prose } from '../html.ts';
import type { Links } from '../links.ts';
import { reasonsOf } from '../problems/attempt-reasons.ts';
import { deliveryResults } from '../problems/delivery-results.ts';
import type { ProblemExplanation } from '../problems/explanation.ts';
import { problemAreas, problemExplanations } from '../problems/explanations.ts';
import { intentResults, type ResultExplanation } from '../problems/intent-results.ts';
import { retryAdvice } from '../problems/retry.ts';
import { urlReasons } from '../problems/url-reasons.ts';
import { frame, renderPage, table } from './page.ts';
import { referenceNavigation } from './side-navigation.ts';

type OperationsByCode = ReadonlyMap<ProblemCode, readonly Operation[]>;

/** A list this long is folded. */
const SHOWN_OPERATIONS_MAX = 6;

const resultAreas = [
  {
    id: 'delivery-results',
    prefix: 'delivery',
    title: 'Webhook delivery results',
    introduction:
      'Found in `lastErrorCode` of a webhook delivery. They are not HTTP errors: they say why the last attempt, or the whole delivery, failed.',
    results: deliveryResults,
  },
  {
    id: 'intent-results',
    prefix: 'intent',
    title: 'Transaction intent results',
    introduction:
      'Found in `error.code` of a transaction intent whose `status` is `failed`. They are not HTTP errors: the submission itself was accepted.',
    results: intentResults,
  },
] as const;

/** Every problem code with its own anchor, then the result codes of deliveries and intents. */
export function errorsPage(links: Links, operations: readonly Operation[]): string {
  const byCode = groupByCode(operations);
  return renderPage(links, {
    title: 'Errors',
    section: 'errors',
    body: frame({
      side: referenceNavigation(links, operations, 'errors'),
      outline: contents(),
      text: html`${introduction()}
${problemAreas.map(
  ({ id, title, explanations }) => html`<h2 id="area-${id}">${title}</h2>
${codesOf(explanations).map((code) => problemEntry(code, byCode, links))}`,
)}
${resultAreas.map(resultSection)}`,
    }),
  });
}

function groupByCode(operations: readonly Operation[]): OperationsByCode {
  const byCode = new Map<ProblemCode, Operation[]>();
  for (const operation of operations) {
    for (const code of possibleProblems(operation))
      byCode.set(code, [...(byCode.get(code) ?? []), operation]);
  }
  return byCode;
}

function codesOf(explanations: object): ProblemCode[] {
  return Object.keys(explanations) as ProblemCode[];
}

function contents(): Html {
  const areas = [
    ...problemAreas.map(({ id, title, explanations }) => ({
      id: `area-${id}`,
      title,
      entries: codesOf(explanations).map((code) => ({ id: code as string, label: code as string })),
    })),
    ...resultAreas.map(({ id, prefix, title, results }) => ({
      id,
      title,
      entries: Object.keys(results).map((code) => ({ id: resultId(prefix, code), label: code })),
    })),
  ];
  return html`<nav class="contents" aria-label="On this page"><p class="area">On this page</p><ol>${areas.map(
    ({ id, title, entries }) =>
      html`<li><a class="area" href="#${id}">${title}</a><ol>${entries.map(
        (entry) => html`<li><a href="#${entry.id}">${entry.label}</a></li>`,
      )}</ol></li>`,
  )}</ol></nav>`;
}

function introduction(): Html {
  return html`<h1>Errors</h1>
<p class="lead">${prose(
    'Every error is a Problem Details document (RFC 9457) with the media type `application/problem+json`. Its `type` is the address of an entry on this page.',
  )}</p>
<p>${prose(
    'Branch on `code`: it never changes. `title` and `detail` are for people and may be reworded. `requestId` equals the header `X-Request-Id`; name it when you ask for help. When one check finds several failures, the first is `code` and the others are in `causes`.',
  )}</p>
<p>${prose(
    'When a connection breaks, the outcome is unknown. Send the same request again with the same `Idempotency-Key`: it is carried out once at most.',
  )}</p>`;
}

function problemEntry(code: ProblemCode, byCode: OperationsByCode, links: Links): Html {
  const { status, title } = problemTable[code];
  const explanation = problemExplanations[code];
  const retry = retryAdvice(code);
  return html`<section class="entry" id="${code}">
<header><h3><a href="#${code}">${code}</a></h3><span class="title">${title}</span>
<span class="badge status">${status}</span><span class="badge ${retry.tone}">${retry.label}</span></header>
<p>${prose(explanation.meaning)}</p>
<dl><dt>When</dt><dd><ul>${explanation.when.map((situation) => html`<li>${prose(situation)}</li>`)}</ul></dd>
<dt>What to do</dt><dd>${prose(explanation.action)}</dd>
<dt>Retry</dt><dd>${prose(retry.advice)}</dd>
${contextFacts(explanation)}
${extraTable(code)}
<dt>Returned by</dt><dd>${operationLinks(code, byCode.get(code) ?? [], links)}</dd></dl>
</section>`;
}

function contextFacts({ context = {} }: ProblemExplanation): Content {
  const facts = Object.entries(context);
  if (facts.length === 0) return null;
  return html`<dt>Context</dt><dd><ul>${facts.map(
    ([name, { meaning, example }]) =>
      html`<li><code>context.${name}</code>: ${meaning}, e.g. <code>${JSON.stringify(example)}</code></li>`,
  )}</ul></dd>`;
}

/** Codes within the body of a problem. */
function extraTable(code: ProblemCode): Content {
  const rows = (meanings: Readonly<Record<string, string>>) =>
    Object.entries(meanings).map(([name, meaning]) => [html`<code>${name}</code>`, prose(meaning)]);
  if (code === 'validation_failed') {
    return html`<dt>Codes in <code>errors[]</code></dt><dd>${table(['code', 'meaning'], rows(fieldErrorMeanings))}</dd>`;
  }
  if (code === 'webhook_url_disallowed') {
    return html`<dt>Reasons</dt><dd>${table(['context.reason', 'meaning'], rows(urlReasons))}</dd>`;
  }
  return null;
}

function operationLinks(code: ProblemCode, operations: readonly Operation[], links: Links): Html {
  if (code === 'not_found' || code === 'method_not_allowed')
    return html`Any request that matches no operation`;
  if (operations.length === 0) return html`No operation at present`;
  const list = html`<ul class="operations">${operations.map(
    (operation) => html`<li><a href="${links.operation(operation)}">${operation.id}</a></li>`,
  )}</ul>`;
  if (operations.length <= SHOWN_OPERATIONS_MAX) return list;
  return html`<details><summary>${operations.length} operations</summary>${list}</details>`;
}

function resultSection({
  id,
  prefix,
  title,
  introduction: text,
  results,
}: (typeof resultAreas)[number]): Html {
  return html`<h2 id="${id}">${title}</h2><p>${prose(text)}</p>
${Object.entries<ResultExplanation>(results).map(
  ([code, { meaning, action }]) => html`<section class="entry" id="${resultId(prefix, code)}">
<header><h3><a href="#${resultId(prefix, code)}">${code}</a></h3></header>
<p>${prose(meaning)}</p><dl><dt>What to do</dt><dd>${prose(action)}</dd>${prefix === 'delivery' ? attemptReasonsTable(code) : null}</dl></section>`,
)}`;
}

function attemptReasonsTable(code: string): Content {
  const reasons = reasonsOf(code);
  if (reasons === null) return null;
  const rows = Object.entries(reasons).map(([name, meaning]) => [html`<code>${name}</code>`, prose(meaning)]);
  return html`<dt>Reasons</dt><dd>${table(['reason of the attempt', 'meaning'], rows)}</dd>`;
}

/** Result codes have a prefix in their anchor: one of them is also a problem code. */
function resultId(prefix: string, code: string): string {
  return `${prefix}-${code.replace(/[<>]/g, '')}`;
}
