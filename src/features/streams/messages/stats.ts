import { StreamMessage, topicText } from './stream-message.ts';

/** The message of a token's statistics: a state of which only the newest is sent. It moves no cursor. */
export function statsMessage(mint: string, record: object, isSnapshot = false): StreamMessage {
  const topic = `stats:${mint}`;
  return new StreamMessage({
    event: 'stats',
    text: topicText({ event: 'stats', cursor: null, topic, isSnapshot }, JSON.stringify(record)),
    channels: [topic],
    stateKey: topic,
  });
}
