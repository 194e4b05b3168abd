import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const {
  BASE_URL: baseUrl = '',
  API_KEY: apiKey = '',
  MINT: mint = '',
  UNKNOWN_MINT: unknownMint = '',
} = process.env;
const { KEY: key = '', HOOK: url = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
const header = { 'Idempotency-Key': key };

const token = await client.GET('/tokens/{mint}', { params: { path: { mint } } });
const etag = token.response.headers.get('etag') ?? '';
const unchanged = await client.GET('/tokens/{mint}', {
  params: { path: { mint }, header: { 'If-None-Match': etag } },
});
const refused = await client.GET('/tokens/{mint}', { params: { path: { mint: unknownMint } } });

const first = await client.GET('/tokens', { params: { query: { limit: 1 } } });
const cursor = first.data?.page.nextCursor;
const second = await client.GET('/tokens', { params: { query: { limit: 1, ...(cursor && { cursor }) } } });

const body = { url, eventTypes: ['launch.created'] };
const created = await client.POST('/webhook-endpoints', { params: { header }, body });
const repeated = await client.POST('/webhook-endpoints', { params: { header }, body });
const reused = await client.POST('/webhook-endpoints', {
  params: { header },
  body: { ...body, url: `${url}/other` },
});
const endpointId = created.data?.id ?? '';
const changed = await client.PATCH('/webhook-endpoints/{endpointId}', {
  params: {
    path: { endpointId },
    header: { 'Idempotency-Key': `${key}-change`, 'If-Match': created.response.headers.get('etag') ?? '' },
  },
  body: { description: 'changed' },
});

/** Compiles only while every code of `getToken` is known by its name. */
function adviceFor(code: NonNullable<typeof refused.error>['code']): string {
  switch (code) {
    case 'token_not_found':
      return 'check the mint';
    case 'rate_limit_exceeded':
    case 'rate_limit_unavailable':
    case 'token_index_unavailable':
    case 'internal_error':
      return 'wait';
    case 'validation_failed':
      return 'mend the request';
    default:
      return code satisfies never;
  }
}

process.stdout.write(
  JSON.stringify({
    token: token.data,
    unchanged: unchanged.response.status,
    refusal: { status: refused.response.status, advice: refused.error && adviceFor(refused.error.code) },
    pages: [first.data, second.data],
    budget: token.response.headers.get('x-ratelimit-limit'),
    created: created.data,
    repeated: [repeated.data, repeated.response.headers.get('idempotent-replayed')],
    reused: reused.error?.code,
    changed: changed.data,
  }),
);
