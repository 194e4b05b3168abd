import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { SecretBox } from '../../../shared/secret-box.ts';
import type { EndpointCaller } from '../../../shared/webhooks/endpoint-scopes.ts';

export interface EndpointDependencies {
  outbox: Outbox;
  secrets: SecretBox;
  clock: Clock;
}

/** The endpoint of a request, and the version that the caller saw. */
export interface EndpointTarget extends EndpointCaller {
  endpointId: string;
  expectedVersion: number;
  /** The key of the request; null for an operator. */
  keyId: string | null;
}
