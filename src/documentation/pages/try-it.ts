import type { TSchema } from '@sinclair/typebox';
import { isIdempotent, type RouteDefinition } from '../../http/route.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { type Content, type Html, html } from '../html.ts';
import type { SiteOptions } from '../options.ts';
import { exampleOf, SAMPLE_VERSION } from '../reference/sample-request.ts';

/**
 * A form that sends the operation from the page. Where pages and API have one origin for clients, the request
 * goes to the origin of the page itself, so that `localhost`, `127.0.0.1` and the public name all work
 * without CORS. Its script fills in records of the deployment; `data-chosen` marks a record that the request
 * would change: the reader chooses it.
 */
export function tryIt(operation: RouteDefinition, { publicUrl, docsUrl }: SiteOptions): Html {
  const { method, path, query, exampleQuery = [], auth, body, exampleBody, versioned, waitable } = operation;
  const isElsewhere = new URL(docsUrl).origin !== new URL(publicUrl).origin;
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '');
  return html`<form class="try" data-method="${method}" data-base="${prefix}${API_PREFIX}" data-path="${path}"
 data-origin="${isElsewhere && new URL(publicUrl).origin}" data-docs-origin="${isElsewhere && new URL(docsUrl).origin}" autocomplete="off" novalidate>
${auth !== 'anonymous' && keyField()}
${pathFields(operation)}
${fieldsOf(query?.properties, [...(query?.required ?? []), ...exampleQuery])}
${versioned === true && textField('If-Match', 'header', SAMPLE_VERSION, true)}
${isIdempotent(operation) && textField('Idempotency-Key', 'header', '', false, 'a new one for every request')}
${waitable === true && auth !== 'anonymous' && textField('Prefer', 'header', '', false, 'wait=20')}
${body !== undefined && bodyField(exampleBody)}
<p class="send"><button type="submit">Send request</button><span class="outcome" role="status"></span></p>
<noscript><p>Sending requests from this page needs JavaScript.</p></noscript>
<div class="answer" hidden><pre tabindex="0"><code></code></pre><details><summary>Headers</summary><pre tabindex="0"><code></code></pre></details></div>
</form>`;
}

function keyField(): Html {
  return html`<label><span>API key <small>kept only in this tab</small></span>
<input type="password" name="key" placeholder="lw_test_…" autocomplete="off" spellcheck="false" maxlength="200"></label>`;
}

/** Tokens and wallets have an initial example; no id makes a meaningful one. */
function pathFields({ method, params }: RouteDefinition): Content {
  return Object.entries(params?.properties ?? {}).map(([name, schema]) => {
    const example = exampleOf(schema) ?? '';
    const isRecord = name !== 'mint' && name !== 'address';
    return html`<label><span>${name} <small>path</small></span>
<input type="text" name="${name}" data-part="path" data-example="${example}"${isRecord && method !== 'GET' && html` data-chosen`}
 value="${!isRecord && example}" spellcheck="false" maxlength="2048"></label>`;
  });
}

function fieldsOf(
  properties: Readonly<Record<string, TSchema>> | undefined,
  required: readonly string[] = [],
): Content {
  return Object.entries(properties ?? {}).map(([name, schema]) => {
    const mustBeGiven = required.includes(name) && schema.default === undefined;
    const choices = ((schema.anyOf ?? []) as readonly TSchema[]).map(({ const: value }) => value);
    if (choices.length > 0 && choices.every((value) => value !== undefined)) {
      return choiceField(name, 'query', choices.map(String), mustBeGiven);
    }
    return textField(name, 'query', mustBeGiven ? (exampleOf(schema) ?? '') : '', mustBeGiven, hint(schema));
  });
}

function hint({ default: standard }: TSchema): string {
  return standard === undefined ? '' : String(standard);
}

function textField(name: string, part: string, value: string, isRequired: boolean, placeholder = ''): Html {
  return html`<label><span>${name} <small>${part}${!isRequired && ', optional'}</small></span>
<input type="text" name="${name}" data-part="${part}"${isRequired && html` data-example="${value}"`} value="${value}" placeholder="${placeholder}" spellcheck="false" maxlength="2048"></label>`;
}

function choiceField(name: string, part: string, choices: readonly string[], isRequired: boolean): Html {
  return html`<label><span>${name} <small>${part}${!isRequired && ', optional'}</small></span>
<select name="${name}" data-part="${part}">${!isRequired && html`<option value="">–</option>`}${choices.map(
    (choice) => html`<option>${choice}</option>`,
  )}</select></label>`;
}

function bodyField(example: object | undefined): Html {
  const text = JSON.stringify(example ?? {}, null, 2);
  return html`<label class="wide"><span>Body <small>JSON</small></span>
<textarea name="body" rows="${Math.min(14, text.split('\n').length + 1)}" spellcheck="false">${text}</textarea></label>`;
}
