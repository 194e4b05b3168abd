import type { JetStreamClient, JetStreamPublishOptions } from '@nats-io/jetstream';

/** The broker answered, but has not stored the message: the publication has to be repeated. */
export class NotStored extends Error {
  override readonly name = 'NotStored';
}

/**
 * Publishes a message of a stream, and returns when most of the nodes that hold the stream have stored it.
 * Throws when that is not known; a repetition with the same `msgID` is stored once.
 *
 * A leader answers a repetition whose first message it has not stored yet: since 2.11 with an error, 2.10 with
 * an acknowledgement without a sequence number. Should that leader be lost, the message is lost with it.
 */
export async function publishStored(
  stream: JetStreamClient,
  subject: string,
  payload: string | Uint8Array,
  options: Partial<JetStreamPublishOptions>,
): Promise<void> {
  const { seq } = await stream.publish(subject, payload, options);
  if (seq === 0) throw new NotStored('the broker has not stored the first message of this id yet');
}
