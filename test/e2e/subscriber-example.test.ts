import { expect, test } from 'bun:test';
import type { SandboxState } from '../../sandbox/shared/state-file.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { publishEvent } from '../support/sandbox/published-event.ts';
import { spawnBun } from '../support/sandbox/sandbox-process.ts';
import { useSandbox } from '../support/sandbox/shared-sandbox.ts';

test('the example subscriber processes an event once, ignores its copy, refuses a forgery, outlives a rotation and deletes its endpoint', async () => {
  const { state, stateFile } = await useSandbox();
  const subscriber = spawnBun(['examples/subscriber.ts'], { LAUNCHWIRE_STATE: stateFile });
  atEnd(() => subscriber.stop('SIGKILL').then(() => {}));
  const says = (text: string) => eventually(text, async () => subscriber.output().includes(text));
  const times = (text: string) => subscriber.output().split(text).length - 1;

  const [, url, endpointId] = await eventually('the endpoint', async () =>
    /listening +(\S+) as endpoint (\S+)/.exec(subscriber.output()),
  );
  const eventId = await publishEvent(state, 'mint-1', { text: 'grüße' });
  await says(`processed  ${eventId} build.service.launch.created.v1`);
  expect(subscriber.output()).toContain('{"subject":"mint-1","data":{"text":"grüße"}}');

  await replay(state, endpointId ?? '', eventId);
  await says(`duplicate  ${eventId}`);
  expect(times(`processed  ${eventId}`)).toBe(1);

  const forged = await fetch(url ?? '', {
    method: 'POST',
    headers: {
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    },
    body: '{"id":"forged"}',
  });
  expect(forged.status).toBe(400);
  await says('refused    "forged"');
  expect(times('processed  forged')).toBe(0);

  subscriber.child.kill('SIGHUP');
  await says('rotated    the secret');
  const afterRotation = await publishEvent(state, 'mint-2', {});
  await says(`processed  ${afterRotation}`);

  const { code, output } = await subscriber.stop('SIGINT');
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(times('refused')).toBe(1);
  expect(await call(state, 'GET', `/webhook-endpoints/${endpointId}`)).toMatchObject({
    status: 404,
    body: { code: 'webhook_endpoint_not_found' },
  });
});

test('the example subscriber names the code of a refusal and ends', async () => {
  const { state } = await useSandbox();
  const environment = {
    LAUNCHWIRE_STATE: 'none',
    LAUNCHWIRE_BASE_URL: state.baseUrl,
    LAUNCHWIRE_API_KEY: 'key',
  };
  const { code, output } = await spawnBun(['examples/subscriber.ts'], environment).ended;
  expect(code).toBe(1);
  expect(output).toStartWith('invalid_api_key: ');
  expect(output).not.toContain('    at ');
});

/** Requests a second delivery of the event when its first delivery is recorded. */
async function replay(state: SandboxState, endpointId: string, eventId: string): Promise<void> {
  const delivery = await eventually('the recorded delivery', async () => {
    const { body } = await call(state, 'GET', `/webhook-endpoints/${endpointId}/deliveries`);
    return body.data?.find((one) => one.eventId === eventId && one.status === 'succeeded');
  });
  const { status } = await call(state, 'POST', `/webhook-deliveries/${delivery.id}/replays`);
  expect(status).toBe(202);
}

interface Answer {
  status: number;
  body: { code?: string; data?: { id: string; eventId: string; status: string }[] };
}

async function call(
  { baseUrl, apiKey }: SandboxState,
  method: 'GET' | 'POST',
  path: string,
): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...(method === 'POST' ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
  };
  const response = await fetch(baseUrl + path, { method, headers });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
