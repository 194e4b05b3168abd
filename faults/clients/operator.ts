import { createClient, isLaunchwireError } from 'launchwire';
import { between, type Random } from '../../bench/measurement/seeded-random.ts';
import { wait } from '../../src/shared/loop.ts';
import type { Receivers } from './receivers.ts';
import { recordingFetch } from './recording-fetch.ts';
import type { ClientSetting, Credentials } from './setting.ts';

const PAUSE_MS = [800, 4_000] as const;
const KEPT_MAX = 4;

interface OwnEndpoint {
  readonly id: string;
  readonly url: string;
  secrets: string[];
  useSecrets(endpointId: string, secrets: readonly string[]): void;
}

/** Makes, changes, rotates, pings and deletes endpoints of an account of its own. Returns how many calls succeeded. */
export async function runOperator(
  setting: ClientSetting,
  {
    accountId,
    apiKey,
    receivers,
    receiverOrigin,
    random,
  }: Credentials & {
    readonly receivers: Receivers;
    readonly receiverOrigin: string;
    readonly random: Random;
  },
): Promise<number> {
  const client = createClient({
    baseUrl: setting.origin,
    apiKey,
    timeoutMs: 10_000,
    fetch: recordingFetch('operator', setting.requests, setting.sinceStart) as typeof fetch,
  });
  const endpoints: OwnEndpoint[] = [];
  let made = 0;
  let changes = 0;

  async function make(): Promise<void> {
    const name = `operator-${made}`;
    made += 1;
    const receiver = receivers.add(name, accountId, false);
    const url = `${receiverOrigin}/${name}`;
    const { id, secret } = await client.createWebhookEndpoint({ url, eventTypes: ['*'] });
    receiver.useSecrets(id, [secret]);
    endpoints.push({ id, url, secrets: [secret], useSecrets: receiver.useSecrets });
  }

  async function change(endpoint: OwnEndpoint): Promise<void> {
    const endpointId = endpoint.id;
    switch (between(random, 0, 4)) {
      case 0:
        await client.updateWebhookEndpoint({ endpointId, status: random() < 0.5 ? 'disabled' : 'enabled' });
        break;
      case 1:
        await client.updateWebhookEndpoint({
          endpointId,
          eventTypes: random() < 0.5 ? ['*'] : ['build.service.token.*'],
        });
        break;
      case 2: {
        const { secret } = await client.rotateWebhookSecret({ endpointId });
        endpoint.secrets = [secret, ...endpoint.secrets].slice(0, 3);
        endpoint.useSecrets(endpointId, endpoint.secrets);
        break;
      }
      case 3:
        await client.pingWebhookEndpoint({ endpointId });
        break;
      default:
        await client.deleteWebhookEndpoint({ endpointId });
        endpoints.splice(endpoints.indexOf(endpoint), 1);
    }
  }

  while (!setting.ending.aborted) {
    try {
      const chosen = endpoints[between(random, 0, KEPT_MAX - 1)];
      if (chosen === undefined) await make();
      else await change(chosen);
      changes += 1;
    } catch (error) {
      // An endpoint whose outcome is unknown stays: its receiver has no secret, and refuses its webhooks.
      if (!isLaunchwireError(error)) throw error;
    }
    await wait(between(random, ...PAUSE_MS), setting.ending);
  }
  return changes;
}
