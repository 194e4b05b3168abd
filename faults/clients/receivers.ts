import { WebhookVerificationError, webhookVerifier } from 'launchwire/webhooks';
import type { Random } from '../../bench/measurement/seeded-random.ts';
import type { ReceiverHistory } from '../evidence/histories.ts';

/** One request in 25 is refused, so that retries are part of the walk. */
const REFUSE_SHARE = 1 / 25;
/** A receiver takes up to this long to answer, so that faults meet deliveries on their way. */
const WORK_MS = 400;

interface Receiver {
  readonly name: string;
  readonly accountId: string;
  readonly isStable: boolean;
  endpointId: string;
  secrets: readonly string[];
  readonly accepted: Map<string, number>;
  refusedOnPurpose: number;
  readonly unverified: string[];
}

/** All receivers of webhooks in one server, which no fault touches: what it saw is what subscribers got. */
export interface Receivers {
  readonly port: number;
  /** Adds a receiver. Its endpoint and secret are known once the API has made them. */
  add(
    name: string,
    accountId: string,
    isStable: boolean,
  ): { useSecrets(endpointId: string, secrets: readonly string[]): void };
  histories(): ReceiverHistory[];
  close(): Promise<void>;
}

export function startReceivers(random: Random): Receivers {
  const receivers = new Map<string, Receiver>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const receiver = receivers.get(new URL(request.url).pathname.slice(1));
      if (receiver === undefined) return new Response(null, { status: 404 });
      // A delivery may come before the response that has the secret.
      if (receiver.secrets.length === 0) return new Response(null, { status: 503 });
      return new Response(null, { status: await receive(receiver, request) });
    },
  });

  async function receive(receiver: Receiver, request: Request): Promise<number> {
    const body = await request.text();
    const verifier = webhookVerifier({ secrets: receiver.secrets, toleranceSeconds: 24 * 3_600 });
    try {
      const { id } = await verifier.verify(body, request.headers);
      await Bun.sleep(random() * WORK_MS);
      if (random() < REFUSE_SHARE) {
        receiver.refusedOnPurpose += 1;
        return 500;
      }
      receiver.accepted.set(id, (receiver.accepted.get(id) ?? 0) + 1);
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      receiver.unverified.push(`${request.headers.get('webhook-id')}: ${error.code}`);
      return 400;
    }
  }

  return {
    port: server.port ?? 0,
    add(name, accountId, isStable) {
      const receiver: Receiver = {
        name,
        accountId,
        isStable,
        endpointId: '',
        secrets: [],
        accepted: new Map(),
        refusedOnPurpose: 0,
        unverified: [],
      };
      receivers.set(name, receiver);
      return {
        useSecrets(endpointId, secrets) {
          receiver.endpointId = endpointId;
          receiver.secrets = secrets;
        },
      };
    },
    histories: () => [...receivers.values()],
    close: () => server.stop(true),
  };
}
