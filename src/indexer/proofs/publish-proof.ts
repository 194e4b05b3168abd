import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ingestSubject } from '../../shared/bus/topology.ts';
import type { SourceProofMessage } from '../ingest/kinds/source-proof.ts';
import type { ObservedHead } from './node-times.ts';

const ACK_TIMEOUT_MS = 5_000;

/** Publishes one `ingest.source_proof`. Throws when the broker did not store it; nothing depends on that one. */
export async function publishProof(
  connection: NatsConnection,
  mintAddresses: string[],
  { slot, blockTime }: ObservedHead,
): Promise<void> {
  const message: SourceProofMessage = {
    mintAddresses,
    through: blockTime.toISOString(),
    slot: slot.toString(),
  };
  await jetstream(connection).publish(ingestSubject('source_proof'), JSON.stringify(message), {
    timeout: ACK_TIMEOUT_MS,
  });
}
