import { beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';
import { Value } from '@sinclair/typebox/value';
import { contractDefinitions as operations } from '../../src/api/routes.ts';
import { guides, paths } from '../../src/documentation/guides/catalogue.ts';
import { renderMarkdown } from '../../src/documentation/guides/render-markdown.ts';
import { type Field, fieldsOf } from '../../src/documentation/reference/fields.ts';
import { responseExample } from '../../src/documentation/reference/response-examples.ts';
import type { SearchDocument } from '../../src/documentation/search/documents.ts';
import { controlMessages, topicMessages } from '../../src/documentation/streams/stream-messages.ts';
import { eventNames, eventType } from '../../src/shared/events/catalogue.ts';
import { problemTable } from '../../src/shared/problem-table.ts';
import { defaultRateLimits, ratePolicies } from '../../src/shared/rate-policies.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';

const options = {
  publicUrl: 'http://api.test',
  docsUrl: 'http://api.test/docs',
  rateLimits: defaultRateLimits,
};

let api: TestApi;

beforeAll(async () => {
  const RATE_LIMITS = JSON.stringify({ 'swap-prepare': { limit: 1234, windowSeconds: 30 } });
  api = await startTestApi({ environment: { RATE_LIMITS } });
});

async function read(path: string): Promise<string> {
  const response = await fetch(api.origin + path, { headers: { accept: 'text/html' } });
  expect(response.status, path).toBe(200);
  return response.text();
}

test('the root address redirects to the documentation', async () => {
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(`${api.origin}/`, { method, redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/docs');
  }
  expect((await fetch(`${api.origin}//evil.example`, { redirect: 'manual' })).status).toBe(404);
});

describe('guides', () => {
  test('are the files of their folder, and the catalogue uses their titles', async () => {
    const files = readdirSync(new URL('../../docs/guides', import.meta.url)).sort();
    expect(files).toEqual(guides.map(({ slug }) => `${slug}.md`).sort());
    for (const { slug, title } of guides) {
      expect(await read(`/docs/guides/${slug}`)).toContain(`<h1>${title}</h1>`);
    }
  });

  test('lie on paths of five, which the home page and the neighbours of each guide follow', async () => {
    const home = await read('/docs');
    expect(paths).toHaveLength(2);
    for (const { title, guides: steps } of paths) {
      expect(steps, title).toHaveLength(5);
      expect(home).toContain(`<h3>${title}</h3>`);
      for (const [at, { slug }] of steps.entries()) {
        const page = await read(`/docs/guides/${slug}`);
        const [nav = ''] = /<nav class="neighbours".*?<\/nav>/s.exec(page) ?? [];
        const link = (kind: string, label: string, to: { slug: string; title: string }) =>
          `<a class="${kind}" href="/docs/guides/${to.slug}"><small>${label} · ${title}</small>${to.title}</a>`;
        for (const [kind, label, to] of [
          ['before', 'Before', steps[at - 1]],
          ['after', 'Next', steps[at + 1]],
        ] as const)
          if (to !== undefined) expect(nav, slug).toContain(link(kind, label, to));
      }
    }
  });

  test('lie on the same paths in the README', () => {
    const rows = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').match(
      /^.*in five pages.*$/gm,
    );
    const linked = rows?.map((row) =>
      [...row.matchAll(/docs\/guides\/([a-z-]+)\.md/g)].map(([, slug]) => slug),
    );
    expect(linked).toEqual(paths.map(({ guides: steps }) => steps.map(({ slug }) => slug)));
  });

  test('beside the paths lead to their neighbours of the same subject', async () => {
    const page = await read('/docs/guides/finding-tokens');
    const [nav = ''] = /<nav class="neighbours".*?<\/nav>/s.exec(page) ?? [];
    expect(
      [...nav.matchAll(/class="(\w+)" href="([^"]+)"><small>([^<]+)</g)].map((link) => link.slice(1)),
    ).toEqual([['after', '/docs/guides/swaps', 'Next']]);
  });

  test('show the limits that their deployment enforces', async () => {
    const page = await read('/docs/guides/rate-limits');
    for (const policy of Object.keys(ratePolicies)) expect(page).toContain(`<code>${policy}</code>`);
    const row = /swap-prepare<\/code>(.*?)<\/tr>/s.exec(page)?.[1] ?? '';
    expect([...row.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell]) => cell).slice(0, 3)).toEqual([
      '1,234',
      '30 s',
      '41.1 a second',
    ]);
  });

  test('show the address of their deployment', async () => {
    for (const { slug } of guides) expect(await read(`/docs/guides/${slug}`)).not.toContain('localhost:3000');
  });

  test('link the names of operations, codes and events', async () => {
    const page = await read('/docs/guides/swaps');
    expect(page).toContain(
      '<a class="name" href="/docs/reference/operations/createSwap"><code>createSwap</code></a>',
    );
    expect(page).toContain('href="/docs/reference/errors/swap_refused"');
  });

  test('show a program in several languages in tabs', async () => {
    const page = await read('/docs/guides/webhooks');
    const [group = ''] = /<div class="tabs" data-tabs>.*?<\/section><\/div>/s.exec(page) ?? [];
    expect([...group.matchAll(/data-tab="(\w+)"/g)].map(([, label]) => label)).toEqual([
      'TypeScript',
      'Python',
      'Go',
    ]);
    const source = '# Title\n\n```ts tab\nx\n```';
    expect(() => renderMarkdown(source, { names: () => undefined, resolve: String })).toThrow('alone');
  });

  test('escape markup, and refuse unknown links and languages', () => {
    const render = (text: string) =>
      renderMarkdown(`# Title\n\n${text}`, {
        names: () => undefined,
        resolve: (target) => {
          throw new Error(`no ${target}`);
        },
      });
    expect(render('<script>alert(1)</script>').body.toString()).not.toContain('<script');
    expect(render('```sh\necho "<b>"\n```').body.toString()).not.toContain('<b>');
    expect(() => render('| a | |\n|---|---|\n| b | c |')).toThrow('a column of a table has no name');
    expect(() => render('[a](javascript:alert)')).toThrow('no javascript:alert');
    expect(() => render('```cobol\nx\n```')).toThrow('cobol');
    expect(() => renderMarkdown('text', { names: () => undefined, resolve: String })).toThrow('title');
  });
});

describe('pages of operations', () => {
  test('show a recorded response that fits the schema', () => {
    for (const { id, response, isStream } of operations) {
      if (isStream === true) continue;
      const example = responseExample(id, options);
      if (example === undefined) expect.unreachable(`${id} has no example: run \`npm run examples:write\``);
      expect([...Value.Errors(response, JSON.parse(example))].slice(0, 3), id).toEqual([]);
    }
  });

  test('explain every field', () => {
    const unexplained = operations.flatMap(({ id, body, response }) =>
      [...(body ? fieldsOf(body) : []), ...fieldsOf(response)].flatMap((field) => silent(field, id)),
    );
    expect(unexplained).toEqual([]);
  });

  function silent(field: Field, at: string): string[] {
    const name = `${at}.${field.name}`;
    return [...(field.meaning ? [] : [name]), ...field.fields.flatMap((inner) => silent(inner, name))];
  }

  test('say in one sentence what the operation does, then show its request, and the rest below', async () => {
    const plain = (markup: string) =>
      markup
        .replace(/<[^>]+>/g, '')
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&');
    for (const { id, description } of operations) {
      const page = await read(`/docs/reference/operations/${id}`);
      const [top = '', below = ''] = page.split('<h2 id="samples">');
      const [, lead = ''] = /<p class="address">.*?<\/p>\n(.*?)\n<dl class="facts">/s.exec(top) ?? [];
      expect(plain(lead).length, id).toBeLessThanOrEqual(300);
      const [, rest = ''] = /<h2 id="details">Details<\/h2>(.*?)<h2/s.exec(below) ?? [];
      const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
      expect(words(`${plain(lead)} ${plain(rest)}`), id).toBe(words(description.replaceAll('`', '')));
    }
  });

  test('list every problem, parameter and sample', async () => {
    for (const operation of operations) {
      const page = await read(`/docs/reference/operations/${operation.id}`);
      for (const label of ['curl', 'TypeScript', 'Python']) expect(page).toContain(`data-tab="${label}"`);
      for (const code of operation.problems) expect(page, operation.id).toContain(`errors/${code}"`);
      for (const name of Object.keys(operation.params?.properties ?? {})) {
        expect(page).toContain(`id="parameter-${operation.id}-${name}"`);
      }
    }
  });
});

describe('documents for programs', () => {
  test('asyncapi.json is valid to its own parser, with a message for every event', async () => {
    const text = await read('/docs/asyncapi.json');
    const { document, diagnostics } = await new Parser().parse(text);
    expect(diagnostics.map(({ message, path }) => `${path.join('.')}: ${message}`)).toEqual([]);
    const names = eventNames.map(eventType).sort();
    const messages = document?.channels().get('webhooks')?.messages().all() ?? [];
    expect(messages.map((message) => message.name() ?? '').sort()).toEqual(names);
    const streamed = document?.channels().get('stream')?.messages().all() ?? [];
    const kinds = Object.keys({ ...topicMessages, ...controlMessages });
    expect(streamed.map((message) => message.name() ?? '').sort()).toEqual(kinds.sort());
    expect(document?.servers().get('sockets')?.protocol()).toBe('ws');
  });

  test('postman.json has a request for every operation, with the variables it uses', async () => {
    interface Item {
      name: string;
      item?: Item[];
      request?: { url: { raw: string; variable?: { key: string }[] } };
      response?: { code: number; body: string; originalRequest: unknown }[];
    }
    const collection = JSON.parse(await read('/docs/postman.json'));
    const requests = (collection.item as Item[]).flatMap(({ item = [] }) => item);
    expect(requests.map(({ name }) => name).sort()).toEqual(operations.map(({ id }) => id).sort());
    const variables = collection.variable.map(({ key }: { key: string }) => key);
    for (const { name, request } of requests) {
      const { raw = '', variable = [] } = request?.url ?? {};
      expect(variables, name).toContain(/^\{\{(\w+)\}\}/.exec(raw)?.[1]);
      const parameters = [...raw.matchAll(/\/:(\w+)/g)].map(([, key]) => key);
      expect(parameters, name).toEqual(variable.map(({ key }) => key));
    }
    for (const { name, request, response = [] } of requests) {
      const operation = operations.find(({ id }) => id === name) ?? expect.unreachable(name);
      const { description: _, ...sent } = Object(request);
      for (const { originalRequest } of response) expect(originalRequest, name).toEqual(sent);
      const saved = response.map(({ code, body }) => ({ code, body: JSON.parse(body) }));
      const success = operation.isStream === true ? undefined : saved.shift();
      expect(success === undefined || Value.Check(operation.response, success.body), name).toBe(true);
      expect(success?.code ?? 200, name).toBe(operation.successStatus);
      expect(saved.map(({ body }) => body.code)).toEqual([...operation.problems]);
      for (const { code, body } of saved) expect(body.status).toBe(code);
    }
  });

  test('llms.txt names every guide and operation by an address that exists', async () => {
    const text = await read('/docs/llms.txt');
    const addresses = [...text.matchAll(/\]\(http:\/\/api\.test([^)]+)\)/g)].map(([, path = '']) => path);
    expect(addresses.length).toBe(new Set(addresses).size);
    for (const { slug } of guides) expect(addresses).toContain(`/docs/guides/${slug}`);
    for (const { id } of operations) expect(addresses).toContain(`/docs/reference/operations/${id}`);
    for (const path of addresses) await read(path);
  });

  test('the search knows every guide, operation, problem and event, at addresses that exist', async () => {
    const documents: SearchDocument[] = JSON.parse(await read('/docs/search.json'));
    const titles = new Set(documents.map(({ title }) => title));
    const expected = [
      ...guides.map(({ title }) => title),
      ...operations.map(({ id }) => id),
      ...Object.keys(problemTable),
    ];
    for (const title of expected) expect(titles.has(title), title).toBe(true);
    const pages = new Map<string, string>();
    for (const { url } of documents) {
      const [path = '', anchor] = url.split('#');
      if (!pages.has(path)) pages.set(path, await read(path));
      if (anchor !== undefined) expect(pages.get(path)?.includes(`id="${anchor}"`), url).toBe(true);
    }
  });

  test('the root, pages and documents link to the description of the service (contract/processes#documentation-links)', async () => {
    for (const path of ['/', '/docs', '/docs/reference/errors', '/docs/openapi.json', '/docs/nothing']) {
      const { headers } = await fetch(api.origin + path, { redirect: 'manual' });
      const links = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="([^"]+)"/g)];
      expect(
        links.map(([, target, relation]) => [relation, target]),
        path,
      ).toEqual([
        ['service-desc', '/docs/openapi.json'],
        ['service-doc', '/docs'],
      ]);
      for (const [, target = ''] of links) expect((await fetch(api.origin + target)).status).toBe(200);
    }
  });

  test('browsers of other sites may read them', async () => {
    for (const name of ['openapi.json', 'asyncapi.json', 'postman.json', 'llms.txt', 'llms-full.txt']) {
      const { headers } = await fetch(`${api.origin}/docs/${name}`);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('etag')).not.toBeNull();
    }
  });
});
