import { fileURLToPath } from 'node:url';
import { contractDefinitions } from '../src/api/routes.ts';
import { openApiDocument } from '../src/documentation/openapi/document.ts';
import { internalSurface } from '../src/documentation/openapi/surface.ts';
import { internalDefinitions } from '../src/internal/routes.ts';

/** The document of the API in the repository: a review sees a change of the API as a difference of this file. */
export const COMMITTED_DOCUMENT = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));

/** The document of the internal API. */
export const COMMITTED_INTERNAL_DOCUMENT = fileURLToPath(
  new URL('../docs/internal-openapi.json', import.meta.url),
);

const publicUrl = 'https://launchwire.example';
const LINE_LENGTH_MAX = 160;

/** The text of `docs/openapi.json`, for an example deployment. */
export function committedDocument(): string {
  return textOf(openApiDocument(contractDefinitions, options));
}

/** The text of `docs/internal-openapi.json`. */
export function committedInternalDocument(): string {
  return textOf(openApiDocument(internalDefinitions, options, internalSurface));
}

const options = { publicUrl, docsUrl: `${publicUrl}/docs` };

function textOf(document: unknown): string {
  return `${formatJson(JSON.parse(JSON.stringify(document)), '')}\n`;
}

/**
 * Formats JSON with one line for each value that fits, so that a difference shows little besides the change.
 */
function formatJson(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_LENGTH_MAX)
    return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${formatJson(member, inner)}`);
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}
