const KINDS = [
  'token',
  'trade',
  'trade_reverted',
  'candle',
  'intent',
  'operation',
  'order',
  'delivery',
  'gap',
];
/** The stream sends a heartbeat every second. After this much silence the connection counts as lost. */
const SILENT_MS = 5_000;
const RETRY_MS = 1_000;

/**
 * Follows topics until `close` is called: `on[kind](data, message)` for each message, `onState` with `live` or `waiting`. After a
 * loss it continues after the last message. When that is too old, `on.gap` is called and the caller reads everything again.
 * `from` is the cursor of the stream that this one replaces.
 */
export function follow(topics, on, onState = () => {}, from = null) {
  let source = null;
  let cursor = from;
  let isClosed = false;
  let silence = 0;
  let retry = 0;

  function heard(id) {
    if (id) cursor = id;
    clearTimeout(silence);
    silence = setTimeout(reconnect, SILENT_MS);
  }

  function reconnect() {
    source?.close();
    clearTimeout(silence);
    clearTimeout(retry);
    if (isClosed) return;
    onState('waiting');
    retry = setTimeout(connect, RETRY_MS);
  }

  function connect() {
    const query = new URLSearchParams({ topics: topics.join(',') });
    if (cursor !== null) query.set('cursor', cursor);
    source = new EventSource(`/api/stream?${query}`);
    source.addEventListener('error', reconnect);
    source.addEventListener('end', reconnect);
    source.addEventListener('heartbeat', ({ lastEventId }) => heard(lastEventId));
    source.addEventListener('ready', ({ lastEventId }) => {
      heard(lastEventId);
      onState('live');
    });
    for (const kind of KINDS) {
      source.addEventListener(kind, (message) => {
        heard(message.lastEventId);
        const parsed = JSON.parse(message.data);
        on[kind]?.(parsed.data ?? parsed, parsed);
      });
    }
    silence = setTimeout(reconnect, SILENT_MS);
  }

  connect();
  return {
    /** The cursor after the newest message; null before the first. */
    get cursor() {
      return cursor;
    },
    close() {
      isClosed = true;
      clearTimeout(silence);
      clearTimeout(retry);
      source?.close();
    },
  };
}
