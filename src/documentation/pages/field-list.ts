import type { RouteDefinition } from '../../http/route.ts';
import { type Content, code, type Html, html, prose } from '../html.ts';
import { headerParameters, type parametersOf } from '../openapi/parameters.ts';
import type { Field } from '../reference/fields.ts';

/** The fields of a body; fields of nested objects are folded below their field. */
export function fieldList(fields: readonly Field[], direction: 'request' | 'response'): Html {
  return html`<dl class="fields">${fields.map((field) => {
    const presence =
      direction === 'request'
        ? field.isRequired && mark('required', 'must')
        : !field.isRequired && mark('optional');
    return html`<div><dt><code>${field.name}</code> <span class="type">${field.type}</span> ${presence}</dt>
<dd>${field.meaning !== undefined && prose(field.meaning)}${choices(field.values)}${rules(field.rules)}
${field.fields.length > 0 && html`<details><summary>${field.fields.length} fields</summary>${fieldList(field.fields, direction)}</details>`}</dd></div>`;
  })}</dl>`;
}

/** Path, query and header parameters. */
export function parameterList(parameters: ReturnType<typeof parametersOf>, operation: RouteDefinition): Html {
  return html`<dl class="fields">${parameters.map((parameter) => {
    const { name, in: place, required, description, schema } = resolved(parameter);
    const allowed = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
    const standard = schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`];
    return html`<div id="parameter-${operation.id}-${name}"><dt><code>${name}</code> <span class="type">${place}</span> ${required && mark('required', 'must')}</dt>
<dd>${description !== undefined && prose(description)}${choices(allowed)}${rules(standard)}</dd></div>`;
  })}</dl>`;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Readonly<Record<string, unknown>>;
}

function resolved(parameter: object): Parameter {
  if (!('$ref' in parameter)) return parameter as Parameter;
  const name = String(parameter.$ref).split('/').at(-1) as keyof typeof headerParameters;
  return headerParameters[name];
}

function mark(label: string, tone = ''): Html {
  return html`<span class="mark ${tone}">${label}</span>`;
}

function choices(values: readonly string[]): Content {
  return (
    values.length > 0 && html` <span class="choices">${values.map((value) => html`${code(value)} `)}</span>`
  );
}

function rules(all: readonly string[]): Content {
  return all.length > 0 && html` <span class="rules">${all.join(', ')}</span>`;
}
