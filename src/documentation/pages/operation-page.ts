import { possibleProblems } from '../../http/problems/possible-problems.ts';
import { isIdempotent, pathTemplate, type RouteDefinition } from '../../http/route.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { problemStatus, problemTable } from '../../shared/problem-table.ts';
import { codeBlock } from '../highlight.ts';
import { type Content, code as codeText, type Html, html, prose } from '../html.ts';
import type { Links } from '../links.ts';
import { parametersOf } from '../openapi/parameters.ts';
import type { SiteOptions } from '../options.ts';
import { retryAdvice } from '../problems/retry.ts';
import { fieldsOf } from '../reference/fields.ts';
import { responseExample } from '../reference/response-examples.ts';
import { sampleRequest } from '../reference/sample-request.ts';
import { samplesOf } from '../reference/samples.ts';
import { streamExamples } from '../streams/stream-examples.ts';
import { fieldList, parameterList } from './field-list.ts';
import { frame, type PageSection, pageSection, renderPage, table } from './page.ts';
import { methodMark, outline, referenceNavigation } from './side-navigation.ts';
import { tryIt } from './try-it.ts';

export interface OperationPageOptions extends SiteOptions {
  links: Links;
  operations: readonly RouteDefinition[];
}

/** The page of one operation: samples, parameters, fields, problems, and a form that sends it. */
export function operationPage(operation: RouteDefinition, options: OperationPageOptions): string {
  const { links, operations } = options;
  const { id, method, summary, tag } = operation;
  const path = pathTemplate(operation);
  const { lead } = split(operation.description);
  const sections = sectionsOf(operation, options).filter(({ content }) => content !== undefined);
  return renderPage(links, {
    title: `${id}: ${summary}`,
    description: `${method} ${path}: ${summary}.`,
    section: 'reference',
    scripts: ['try-it.js'],
    body: frame({
      side: referenceNavigation(links, operations, id),
      outline: outline(sections),
      text: html`<article class="operation">
<p class="eyebrow">${tag}</p>
<h1>${summary}</h1>
<p class="address">${methodMark(operation)} ${codeText(`${API_PREFIX}${path}`)} <code class="id">${id}</code></p>
${paragraphs(lead)}
${facts(operation, options)}
${sections.map(pageSection)}
</article>`,
    }),
  });
}

function sectionsOf(operation: RouteDefinition, options: OperationPageOptions): PageSection[] {
  const { body, response, successStatus } = operation;
  const example = operation.isStream ? streamText() : responseExample(operation.id, options);
  const parameters = parametersOf(operation);
  const { rest } = split(operation.description);
  return [
    { id: 'samples', title: 'Request', content: samples(operation, options) },
    {
      id: 'try',
      title: 'Try it',
      content: operation.isStream || operation.upload ? undefined : tryIt(operation, options),
    },
    { id: 'details', title: 'Details', content: rest === '' ? undefined : paragraphs(rest) },
    {
      id: 'parameters',
      title: 'Parameters',
      content: parameters.length > 0 ? parameterList(parameters, operation) : undefined,
    },
    {
      id: 'body',
      title: operation.bodyOptional === true ? 'Body (optional)' : 'Body',
      content: uploadRules(operation) ?? (body && fieldList(fieldsOf(body), 'request')),
    },
    {
      id: 'response',
      title: `Response ${successStatus}`,
      content: html`${example && codeBlock(example, operation.isStream ? 'text' : 'json')}${fieldList(fieldsOf(response), 'response')}`,
    },
    { id: 'problems', title: 'Problems', content: problems(operation, options.links) },
  ];
}

/** The form on the page sends JSON alone. */
function uploadRules({ upload }: RouteDefinition): Content | undefined {
  if (upload === undefined) return undefined;
  const types = upload.mediaTypes.map((type) => html`<code>${type}</code> `);
  return html`<p>The file itself, at most ${upload.bytesMax.toLocaleString('en')} bytes, with its media type: ${types}</p>`;
}

/** A longer description has only its first sentence before the request, which readers come for. */
const LEAD_MAX = 240;
/** The end of a sentence, outside of code. */
const SENTENCE = /^(?:[^`]|`[^`]*`)*?\.\s+(?=[A-Z`])/;

function split(description: string): { lead: string; rest: string } {
  if (description.length <= LEAD_MAX) return { lead: description, rest: '' };
  const [lead = description] = SENTENCE.exec(description) ?? [];
  return { lead: lead.trim(), rest: description.slice(lead.length) };
}

/** Markdown with only paragraphs and backticks. */
function paragraphs(text: string): Content {
  return text.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`);
}

function facts(operation: RouteDefinition, { links, rateLimits }: OperationPageOptions): Html {
  const { auth, ratePolicy, maxAgeSeconds, versioned, waitable } = operation;
  const { limit, windowSeconds } = rateLimits[ratePolicy];
  const entries: [string, Content][] = [
    ['Access', access(operation, links)],
    [
      'Rate limit',
      html`<a href="${links.guide('rate-limits')}">${limit.toLocaleString('en')} in ${windowSeconds} s</a>, <code>${ratePolicy}</code>`,
    ],
  ];
  if (maxAgeSeconds !== undefined) entries.push(['Caching', `${maxAgeSeconds} s, then If-None-Match`]);
  if (isIdempotent(operation)) {
    const guide = links.guide('idempotency-and-retries');
    entries.push(['Retries', html`<a href="${guide}">safe with the same <code>Idempotency-Key</code></a>`]);
  }
  if (versioned === true) entries.push(['Version', html`needs <code>If-Match</code>`]);
  if (waitable === true) {
    const condition = auth === 'anonymous' && html` with <code>If-None-Match</code>`;
    entries.push(['Waiting', html`<code>Prefer: wait=20</code>${condition} holds the response`]);
  }
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The beginning of a stream as it is sent. */
function streamText(): string {
  return [streamExamples.ready, streamExamples.trade, streamExamples.heartbeat]
    .map((message) => {
      const { event, id, retryMs } = message as { event: string; id?: string; retryMs?: number };
      const place = id === undefined ? '' : `id: ${id}\n`;
      const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
      return `event: ${event}\n${place}${retry}data: ${JSON.stringify(message)}\n`;
    })
    .join('\n');
}

function access({ auth, isStream }: RouteDefinition, links: Links): Content {
  if (isStream === true)
    return html`no key, or <a href="${links.guide('streams')}">a key</a> for topics of an account`;
  if (auth === 'anonymous') return 'no key';
  const guide = links.guide('keys-and-scopes');
  if (auth === 'any-key') return html`<a href="${guide}">any key</a>`;
  return html`<a href="${guide}">key</a> with ${auth.map((scope) => html`<code>${scope}</code> `)}`;
}

function samples(operation: RouteDefinition, { publicUrl }: SiteOptions): Html {
  const all = samplesOf(sampleRequest(operation, publicUrl));
  return html`<div class="tabs" data-tabs>${all.map(
    ({ label, language, code }) =>
      html`<section data-tab="${label}" data-language="${language}">${codeBlock(code, language, label)}</section>`,
  )}</div>`;
}

function problems(operation: RouteDefinition, links: Links): Html {
  return table(
    ['status', 'code', 'what it means', 'retry'],
    possibleProblems(operation)
      .map((code) => ({ code, status: problemStatus(code, operation.method) }))
      .sort((left, right) => left.status - right.status)
      .map(({ code, status }) => {
        const { label, tone } = retryAdvice(code);
        return [
          String(status),
          html`<a href="${links.error(code)}">${codeText(code)}</a>`,
          problemTable[code].detail,
          html`<span class="badge ${tone}">${label}</span>`,
        ];
      }),
  );
}
