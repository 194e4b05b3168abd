import { join } from 'node:path';
import { createClient } from 'launchwire';
import { readState, type SandboxState } from '../../../sandbox/shared/state-file.ts';
import { type SharedResource, useShared } from '../run/shared-resources.ts';
import { launchSandbox } from './sandbox-process.ts';

/** The name of the shared resource in a run. */
export const SHARED_SANDBOX = 'sandbox';

interface Started {
  readonly stateFile: string;
  /** The output of the start. */
  readonly output: string;
}

export interface SharedSandbox extends Started {
  readonly state: SandboxState;
}

/** The files poll often, and all of them use one key and one address. */
const limit = { limit: 100_000, windowSeconds: 60 };
const RATE_LIMITS = JSON.stringify({
  'public-read-cheap': limit,
  'public-read-expensive': limit,
  'api-key-read': limit,
  'webhook-admin': limit,
});

/** Starts a sandbox whose community is eight times as fast, so that rounds and presales end soon. Its market
 * is not faster. */
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

/** Returns a running sandbox that several files share at the same time. Each file must remove its endpoints
 * and look only for its own records. Tests that stop, kill or configure a sandbox use `startSandbox`. */
export async function useSandbox(): Promise<SharedSandbox> {
  const started = await useShared(SHARED_SANDBOX, startSharedSandbox);
  const state = readState(started.stateFile);
  if (state === undefined) throw new Error('the shared sandbox was stopped');
  return { ...started, state };
}

/** Deletes a file's endpoints, because an account may have only twenty and each continues to get events. */
export async function removeEndpoints(
  { baseUrl, apiKey }: SandboxState,
  isOwn: (endpoint: { id: string; url: string }) => boolean,
): Promise<void> {
  const client = createClient({ baseUrl, apiKey });
  const { data } = await client.listWebhookEndpoints();
  for (const endpoint of data)
    if (isOwn(endpoint)) await client.deleteWebhookEndpoint({ endpointId: endpoint.id });
}
