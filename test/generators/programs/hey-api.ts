import { createClient } from './client/index.ts';
import {
  createImage,
  createWebhookEndpoint,
  getToken,
  listTokens,
  openStream,
  updateWebhookEndpoint,
} from './sdk.gen.ts';

const {
  BASE_URL: baseUrl = '',
  API_KEY: apiKey = '',
  MINT: mint = '',
  UNKNOWN_MINT: unknownMint = '',
} = process.env;
const { KEY: key = '', HOOK: url = '', IMAGE: image = '' } = process.env;
const client = createClient({ baseUrl, auth: () => apiKey });
const headers = { 'Idempotency-Key': key };

const token = await getToken({ client, path: { mint } });
const etag = token.response?.headers.get('etag') ?? '';
const unchanged = await getToken({ client, path: { mint }, headers: { 'If-None-Match': etag } });
const refused = await getToken({ client, path: { mint: unknownMint } });

const first = await listTokens({ client, query: { limit: 1 } });
const cursor = first.data?.page.nextCursor;
const second = await listTokens({ client, query: { limit: 1, ...(cursor && { cursor }) } });

const body = { url, eventTypes: ['launch.created'] };
const created = await createWebhookEndpoint({ client, headers, body });
const repeated = await createWebhookEndpoint({ client, headers, body });
const reused = await createWebhookEndpoint({ client, headers, body: { ...body, url: `${url}/other` } });
const changed = await updateWebhookEndpoint({
  client,
  path: { endpointId: created.data?.id ?? '' },
  headers: {
    'Idempotency-Key': `${key}-change`,
    'If-Match': created.response?.headers.get('etag') ?? '',
  },
  body: { description: 'changed' },
});
const uploaded = await createImage({ client, body: new Blob([Buffer.from(image, 'base64')]) });

const stop = new AbortController();
const { stream } = await openStream({
  client,
  query: { topics: `token:${mint}` },
  signal: stop.signal,
  sseMaxRetryAttempts: 1,
});
const message = await stream.next();
stop.abort();

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
    unchanged: unchanged.response?.status,
    refusal: { status: refused.response?.status, advice: refused.error && adviceFor(refused.error.code) },
    pages: [first.data, second.data],
    budget: token.response?.headers.get('x-ratelimit-limit'),
    created: created.data,
    repeated: [repeated.data, repeated.response?.headers.get('idempotent-replayed')],
    reused: reused.error?.code,
    changed: changed.data,
    image: uploaded.data ?? null,
    message: message.done === true ? null : Object.keys(message.value),
  }),
);
