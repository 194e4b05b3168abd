import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { SecretBox } from '../../../shared/secret-box.ts';
import type { EndpointCaller } from '../../../shared/webhooks/endpoint-scopes.ts';

/** What changes of endpoints need beside their transaction. */
export interface EndpointDependencies {
  outbox: Outbox;
  secrets: SecretBox;
  clock: Clock;
}

/** Which endpoint a caller means, and which version the caller saw. */
export interface EndpointTarget extends EndpointCaller {
  endpointId: string;
  expectedVersion: number;
}
