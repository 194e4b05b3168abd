import { pathTemplate, type RouteDefinition } from '../http/route.ts';
import { problemCodes, problemTable } from '../shared/problem-table.ts';
import { guideGroups, guides, paths } from './guides/catalogue.ts';
import { guideSource } from './guides/read-guide.ts';
import type { Links } from './links.ts';
import type { SiteOptions } from './options.ts';
import { groupByTag } from './pages/side-navigation.ts';
import { resultAreas } from './problems/result-areas.ts';
import { retryAdvice } from './problems/retry.ts';
import { sampleRequest } from './reference/sample-request.ts';
import { samplesOf } from './reference/samples.ts';

const INTRODUCTION = `# Launchwire API

> HTTP API of a platform that launches tokens on Solana: markets, quotes and swaps, launches, staking, presales, predictions, streams and signed webhooks. The client's wallet signs; the service prepares, verifies, sends and confirms.

- Amounts, prices and slots are strings: read them as big integers or decimals, never as floats.
- Every POST, PATCH and DELETE needs an Idempotency-Key; repeat a request with the same key after an unknown outcome.
- Errors are Problem Details: branch on \`code\`.`;

/** The map of the site for language models (llmstxt.org), with absolute addresses. */
export function llmsText(
  links: Links,
  operations: readonly RouteDefinition[],
  { publicUrl }: SiteOptions,
): string {
  const { origin } = new URL(publicUrl);
  const line = (path: string, title: string, about: string) => `- [${title}](${origin}${path}): ${about}`;
  const ways = section(
    'Where to begin',
    paths.map(
      ({ title, guides: steps }) => `- ${title}: ${steps.map(({ title: name }) => name).join(', then ')}`,
    ),
  );
  const groups = guideGroups.map(({ title, guides: group }) =>
    section(
      title,
      group.map(({ slug, title: name, summary }) => line(links.guide(slug), name, summary)),
    ),
  );
  const areas = groupByTag(operations).map(([tag, group]) =>
    section(
      `Operations: ${tag}`,
      group.map((one) =>
        line(links.operation(one), one.id, `${one.method} ${pathTemplate(one)}. ${one.summary}.`),
      ),
    ),
  );
  const documents = section('Documents', [
    line(
      links.document('llms-full.txt'),
      'llms-full.txt',
      'all guides, a sample of every operation and every error, as one text',
    ),
    line(links.document('openapi.json'), 'openapi.json', 'OpenAPI 3.1'),
    line(links.document('asyncapi.json'), 'asyncapi.json', 'AsyncAPI 3: webhooks and streams'),
    line(
      links.errors,
      'Errors',
      `every problem code in a list; a page for each below ${links.errors}/<code>, with cause, remedy and whether to retry`,
    ),
    line(links.events, 'Events', 'every webhook event with its schema'),
  ]);
  return `${[INTRODUCTION, documents, ways, ...groups, ...areas].join('\n\n')}\n`;
}

/** All guides, every operation with a sample, and every error, as one Markdown text. */
export function llmsFullText(operations: readonly RouteDefinition[], options: SiteOptions): string {
  const texts = guides.map((guide) => guideSource(guide, options).trim());
  const described = operations.map((operation) => {
    const [curl] = samplesOf(sampleRequest(operation, options.publicUrl));
    const { id, summary, description, method } = operation;
    return `## ${id}\n\n${summary}. \`${method} ${pathTemplate(operation)}\`\n\n${description}\n\n\`\`\`sh\n${curl?.code}\n\`\`\``;
  });
  return `${[INTRODUCTION, ...texts, '# Operations', ...described, '# Errors', ...errors()].join('\n\n')}\n`;
}

function errors(): string[] {
  const problems = problemCodes.map((code) => {
    const { status, title, detail, meaning = detail, when, action } = problemTable[code];
    const situations = when.map((situation) => `- ${situation}`).join('\n');
    return `## ${code}\n\n${status} ${title}. ${meaning}\n\n${situations}\n\n${action} ${retryAdvice(code).advice}`;
  });
  const results = resultAreas.map(({ title, introduction, results: all }) => {
    const lines = all.map(({ code, meaning, action }) => `- \`${code}\`: ${meaning} ${action}`);
    return `## ${title}\n\n${introduction}\n\n${lines.join('\n')}`;
  });
  return [...problems, ...results];
}

function section(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.join('\n')}`;
}
