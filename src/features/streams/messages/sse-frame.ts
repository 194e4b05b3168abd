/** A message as a server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html), in UTF-8. */
export function sseFrame({
  event,
  cursor,
  retryMs,
  text,
}: {
  event: string;
  cursor: string | null;
  retryMs: number | null;
  /** One line. */
  text: string;
}): Uint8Array {
  const id = cursor === null ? '' : `id: ${cursor}\n`;
  const retry = retryMs === null ? '' : `retry: ${retryMs}\n`;
  return Buffer.from(`event: ${event}\n${id}${retry}data: ${text}\n\n`);
}

interface Framed {
  readonly frame: Uint8Array;
}

let lastJoined: { messages: readonly Framed[]; bytes: Uint8Array } = {
  messages: [],
  bytes: new Uint8Array(),
};

/**
 * The frames of messages in one buffer, which is made once for consecutive readers of the same messages.
 */
export function joinFrames(messages: readonly Framed[]): Uint8Array {
  if (messages.length === 1 && messages[0] !== undefined) return messages[0].frame;
  const { messages: last } = lastJoined;
  const isSame = last.length === messages.length && messages.every((message, at) => message === last[at]);
  if (!isSame)
    lastJoined = { messages: [...messages], bytes: Buffer.concat(messages.map(({ frame }) => frame)) };
  return lastJoined.bytes;
}
