import { beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { Value } from '@sinclair/typebox/value';
import type { TransportErrorCode } from '../../relay/model/outcome.ts';
import { contractDefinitions as operations } from '../../src/api/routes.ts';
import { intentErrorCodes } from '../../src/db/values/transaction-intents.ts';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { guides } from '../../src/documentation/guides/catalogue.ts';
import { breakable, html, prose } from '../../src/documentation/html.ts';
import { wantsPage } from '../../src/documentation/negotiation.ts';
import {
  type DeliveryResultCode,
  deliveryResults,
} from '../../src/documentation/problems/delivery-results.ts';
import { resultAreas } from '../../src/documentation/problems/result-areas.ts';
import { possibleProblems } from '../../src/http/problems/possible-problems.ts';
import { eventNames, eventType } from '../../src/shared/events/catalogue.ts';
import { problemCodes, problemTable } from '../../src/shared/problem-table.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { sendRaw as sendBytes } from '../support/http/raw-http.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const pagePaths = [
  '/docs',
  ...guides.map(({ slug }) => `/docs/guides/${slug}`),
  '/docs/reference',
  ...operations.map(({ id }) => `/docs/reference/operations/${id}`),
  '/docs/reference/errors',
  ...Object.keys(problemTable).map((code) => `/docs/reference/errors/${code}`),
  ...resultAreas.flatMap(({ results }) => results.map(({ id }) => `/docs/reference/errors/${id}`)),
  '/docs/reference/events',
  ...eventNames.map((name) => `/docs/reference/events/${eventType(name)}`),
  '/docs/nothing',
];

let api: TestApi;
let assetPaths: string[];

beforeAll(async () => {
  api = await startTestApi();
  const page = await (await get('/docs', HTML)).text();
  assetPaths = [...page.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
});

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(api.origin + path, { headers, method, redirect: 'manual' });
}

/** A request whose path is sent without normalisation. */
function sendRaw(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.origin).port), '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('every page', () => {
  test('forbids foreign content and framing', async () => {
    for (const path of pagePaths) {
      const { headers } = await get(path, HTML);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  test('refers to nothing outside this service, and holds nothing inline', async () => {
    for (const path of pagePaths) {
      const page = await (await get(path, HTML)).text();
      for (const [, address = ''] of page.matchAll(/(?:src|data-documents)="([^"]*)"/g)) {
        expect(address, path).toStartWith('/docs/');
      }
      for (const [, address = ''] of page.matchAll(/href="([^"]*)"/g)) {
        expect(address, path).toMatch(/^(\/docs([/#]|$)|#|https:\/\/)/);
      }
      expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+="|<script(?![^>]*\ssrc=)/);
    }
  });

  const statuses = new Map<string, Promise<number>>();
  function statusOf(path: string): Promise<number> {
    const known = statuses.get(path) ?? get(path).then(({ status }) => status);
    statuses.set(path, known);
    return known;
  }

  test('leads only to addresses and anchors that exist', async () => {
    const bodies = new Map<string, string>();
    for (const path of pagePaths) bodies.set(path, await (await get(path, HTML)).text());
    for (const [path, body] of bodies) {
      for (const [, link = ''] of body.matchAll(/href="([^"]+)"/g)) {
        // External links are not followed: tests run without a network.
        if (link.startsWith('https://')) continue;
        const [target = '', anchor] = link.startsWith('#') ? [path, link.slice(1)] : link.split(/[?#]/);
        if (bodies.has(target) && anchor !== undefined && link.includes('#') && !anchor.startsWith('/')) {
          expect(bodies.get(target)?.includes(`id="${anchor}"`), `${path} → ${link}`).toBe(true);
        } else expect(await statusOf(target), `${path} → ${link}`).toBe(200);
      }
    }
  });

  test('is answered to HEAD without a body', async () => {
    const response = await get('/docs/reference/errors', { ...HTML, 'accept-encoding': 'identity' }, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    expect(await response.text()).toBe('');
  });

  test.each(['/docs', '/docs/openapi.json', '/docs/reference/events', '/docs/nothing'])(
    'HEAD of %s has the length of GET',
    async (path) => {
      for (const encoding of ['identity', 'gzip', 'br']) {
        const headers = [`Host: localhost`, 'Connection: close', `Accept-Encoding: ${encoding}`].join('\r\n');
        const lengthOf = async (method: string) =>
          (await sendBytes(api.origin, `${method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)).headers.get(
            'content-length',
          );
        const length = await lengthOf('GET');
        expect(Number(length)).toBeGreaterThan(0);
        expect(await lengthOf('HEAD')).toBe(length);
      }
    },
  );
});

describe('caching', () => {
  test.each(['/docs', '/docs/openapi.json', '/docs/reference/errors'])('%s is conditional', async (path) => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const first = await get(path, { 'accept-encoding': encoding });
      const etag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      expect(first.headers.get('content-encoding') ?? 'identity').toBe(encoding);
      expect(etag.endsWith(`-${encoding}"`)).toBe(encoding !== 'identity');
      const second = await get(path, { 'accept-encoding': encoding, 'if-none-match': etag });
      expect(second.status).toBe(304);
      expect(await second.text()).toBe('');
    }
  });

  test('large responses are compressed for clients that accept it, with brotli first', async () => {
    const encodingOf = async (accepted: string) => {
      const response = await get('/docs/openapi.json', { 'accept-encoding': accepted });
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      return [response.headers.get('content-encoding'), await response.text()] as const;
    };
    const [none, plain] = await encodingOf('identity');
    expect(none).toBeNull();
    for (const [accepted, encoding] of [
      ['gzip;q=0', null],
      ['gzip', 'gzip'],
      ['gzip, br', 'br'],
      ['br;q=0, gzip', 'gzip'],
    ] as const) {
      expect(await encodingOf(accepted), accepted).toEqual([encoding, plain]);
    }
  });

  test('assets carry a version and never change', async () => {
    expect(assetPaths.length).toBeGreaterThanOrEqual(5);
    for (const path of assetPaths) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });
});

test("another author's code is served with the notice of its licence", async () => {
  const path = (assetPaths[0] ?? '').replace(/[^/]+$/, 'minisearch.js');
  const [notice = '', code = ''] = (await (await get(path)).text()).split('*/', 2);
  expect(notice).toStartWith('/*!');
  expect(notice).toContain('Copyright 2022 Luca Ongaro');
  expect(notice).toContain('THE SOFTWARE IS PROVIDED "AS IS"');
  expect(code.length).toBeGreaterThan(0);
});

describe('only listed files are served', () => {
  test.each([
    'base.css',
    'package.json',
    'index.html',
    '../package.json',
    '..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '..%5c..%5cpackage.json',
    '%2fetc%2fpasswd',
    'constructor',
    '__proto__',
    '',
  ])('assets/%s is 404', async (name) => {
    const base = assetPaths[0]?.replace(/[^/]+$/, '') ?? '';
    const response = await get(base + name, HTML);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('"dependencies"');
  });

  test('a raw path with steps up reaches no file', async () => {
    const base = assetPaths[0]?.replace(/[^/]+$/, '') ?? '';
    for (const climb of ['../package.json', '../../../package.json', '%2e%2e/package.json', '//etc/passwd']) {
      const answer = await sendRaw(base + climb);
      expect(answer, climb).toStartWith('HTTP/1.1 404');
      expect(answer).not.toMatch(/"version"|root:/);
    }
  });

  test('unknown addresses are a page in the same style, with status 404', async () => {
    for (const path of ['/docs/nothing', '/docs/reference/events/build.service.nothing.v1', '/docs/%00']) {
      const response = await get(path, HTML);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('<h1>Page not found</h1>');
    }
  });

  test('a trailing slash redirects to the page without it', async () => {
    const response = await get('/docs/reference/errors/');
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe('/docs/reference/errors');
  });
});

describe('errors', () => {
  const textOf = async (path: string) => (await get(path, HTML)).text();

  test('are a list with one anchor for every code, the `type` of its problem, which leads to its page', async () => {
    const page = await textOf('/docs/reference/errors');
    for (const [code, { status }] of Object.entries(problemTable)) {
      const entry = page.split(`<li id="${code}" data-entry="code">`);
      expect(entry.length, code).toBe(2);
      expect(entry[1]?.slice(0, 800)).toContain(`<span class="badge status">${status}</span>`);
      expect(entry[1]?.slice(0, 200)).toContain(`<a href="/docs/reference/errors/${code}">`);
    }
  });

  test('have a page each, with meaning, remedy, an example, and the operations that return it', async () => {
    for (const code of problemCodes) {
      const page = await textOf(`/docs/reference/errors/${code}`);
      expect(page).toContain(`<title>${code} · Launchwire</title>`);
      for (const id of ['when', 'action', 'retry', 'example', 'operations'])
        expect(page, code).toContain(`<h2 id="${id}">`);
      expect(page).toContain(`errors#${code}`);
      const returnedBy = page.slice(page.indexOf('<h2 id="operations">'));
      for (const operation of operations.filter((one) => possibleProblems(one).includes(code)))
        expect(returnedBy, code).toContain(`/docs/reference/operations/${operation.id}"`);
    }
  });

  test('explain every result of intents and deliveries', async () => {
    const page = await textOf('/docs/reference/errors');
    for (const code of intentErrorCodes) expect(page).toContain(`id="intent-${code}"`);
    // Compiles only while every code of the relay is explained.
    const known: Record<TransportErrorCode | 'endpoint_disabled' | 'endpoint_deleted', unknown> =
      deliveryResults;
    for (const code of Object.keys(known) as DeliveryResultCode[]) {
      const id = `delivery-${code.replace(/[<>]/g, '')}`;
      expect(page).toContain(`id="${id}"`);
      expect(await textOf(`/docs/reference/errors/${id}`)).toContain('What to do');
    }
  });
});

test('names break after their separators only, and short ones nowhere', () => {
  expect(html`${breakable('swap_refused')}`.toString()).toBe('swap_refused');
  expect(html`${breakable('idempotency_request_in_progress')}`.toString()).toBe(
    'idempotency_<wbr>request_<wbr>in_<wbr>progress',
  );
  expect(html`${breakable('<b>.'.repeat(8))}`.toString()).toStartWith('&lt;b&gt;.<wbr>&lt;b&gt;.');
});

describe('events', () => {
  test('every address answers the schema to machines and the page to browsers', async () => {
    for (const name of eventNames) {
      const path = `/docs/reference/events/${eventType(name)}`;
      const schema = await get(path);
      expect(schema.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
      expect(schema.headers.get('vary')).toBe('Accept-Encoding, Accept');
      expect(await schema.json()).toMatchObject({ $id: `http://api.test${path}`, type: 'object' });
      const page = await (await get(path, HTML)).text();
      expect(page.replaceAll('<wbr>', '')).toContain(`<code>${eventType(name)}</code>`);
      expect((await get(`${path}?format=json`, HTML)).headers.get('content-type')).toStartWith(
        'application/schema',
      );
    }
  });

  test('every example fits the schema of its type', () => {
    for (const name of eventNames) {
      expect([...Value.Errors(documentedEvents[name].schema, documentedEvents[name].example)], name).toEqual(
        [],
      );
    }
  });

  test.each([
    [null, null, false],
    ['*/*', null, false],
    ['application/schema+json', null, false],
    ['text/html', null, true],
    [HTML.accept, null, true],
    ['text/html;q=0.5, application/json', null, false],
    ['text/html;q=0', null, false],
    ['text/html', 'json', false],
    ['*/*', 'html', true],
  ] as const)('Accept %p with format %p wants the page: %p', (accept, format, expected) => {
    expect(wantsPage(accept, format)).toBe(expected);
  });
});

test('markup escapes every value', () => {
  const evil = `<img src=x onerror="alert('1')">&`;
  expect(html`<p title="${evil}">${[evil, null, false, 0]}</p>`.toString()).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;">&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;0</p>',
  );
  expect(html`${prose('a `<b>` c')}`.toString()).toBe('a <code>&lt;b&gt;</code> c');
});
