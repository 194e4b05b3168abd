const KINDS = ['token', 'trade', 'trade_reverted', 'candle', 'intent', 'operation', 'delivery', 'gap'];
/** The stream sends a heartbeat every second; without one for so long the connection is lost. */
const SILENT_MS = 5_000;
const RETRY_MS = 1_000;

/**
 * Follows topics until `close` is called: `on[kind](data, message)` for each message, `onState` with `live` or `waiting`. After a
 * loss it goes on behind the last message; when that is too long ago, `on.gap` says that everything is to be read again.
 * `from` is the cursor of a stream that this one takes the place of.
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
    /** Behind the newest message; null before the first. */
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
