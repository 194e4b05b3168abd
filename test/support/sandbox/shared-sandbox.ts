import { join } from 'node:path';
import { createClient } from 'launchwire';
import { readState, type SandboxState } from '../../../sandbox/shared/state-file.ts';
import { type SharedResource, useShared } from '../run/shared-resources.ts';
import { launchSandbox } from './sandbox-process.ts';

/** Under which the files of a run find it. */
export const SHARED_SANDBOX = 'sandbox';

interface Started {
  readonly stateFile: string;
  /** What it printed until it was ready. */
  readonly output: string;
}

export interface SharedSandbox extends Started {
  readonly state: SandboxState;
}

/** Waiting for something to happen asks often, and all files ask with one key from one address. */
const limit = { limit: 100_000, windowSeconds: 60 };
const RATE_LIMITS = JSON.stringify({
  'public-read-cheap': limit,
  'public-read-expensive': limit,
  'api-key-read': limit,
  'webhook-admin': limit,
});

/** Its community plays eight times as fast, so that what happens to a round or a presale is soon over; its market has its own pace. */
export async function startSharedSandbox(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<SharedResource<Started>> {
  const dir = join(folder, 'sandbox');
  const settings = { SANDBOX_DEMO_PACE: '8', RATE_LIMITS };
  const sandbox = await launchSandbox(dir, { ...environment, ...settings });
  return {
    value: { stateFile: join(dir, 'state.json'), output: sandbox.output() },
    stop: () => sandbox.stop('SIGTERM').then(() => {}),
  };
}

/** A running sandbox for files that only use it. They share it with other files at the same time: each removes the endpoints that
 * it creates, and looks for nothing but its own records. What stops, kills or configures takes `startSandbox`. */
export async function useSandbox(): Promise<SharedSandbox> {
  const started = await useShared(SHARED_SANDBOX, startSharedSandbox);
  const state = readState(started.stateFile);
  if (state === undefined) throw new Error('the shared sandbox was stopped');
  return { ...started, state };
}

/** Deletes the endpoints that a file has created: an account has room for twenty, and each goes on getting events. */
export async function removeEndpoints(
  { baseUrl, apiKey }: SandboxState,
  isOwn: (endpoint: { id: string; url: string }) => boolean,
): Promise<void> {
  const client = createClient({ baseUrl, apiKey });
  const { data } = await client.listWebhookEndpoints();
  for (const endpoint of data)
    if (isOwn(endpoint)) await client.deleteWebhookEndpoint({ endpointId: endpoint.id });
}
