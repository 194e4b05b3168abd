/** One message of a `text/event-stream`. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/** Far above the largest message of the service; a longer line does not come from it. */
const LINE_CHARACTERS_MAX = 4_194_304;

/** The messages of a body of server-sent events, as the HTML standard reads them. Comments and `retry` are left out. */
export async function* readEventStream(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let event = '';
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n') };
      event = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
}

/** Lines that end in LF, CRLF or CR; text after the last line end is not a line. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  /** A line has ended in CR, so an LF that comes next belongs to it. */
  let isAfterCr = false;
  for await (const chunk of body) {
    const decoded = decoder.decode(chunk, { stream: true });
    if (decoded === '') continue;
    const text: string = isAfterCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    isAfterCr = text.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARACTERS_MAX) throw new Error('a line of the stream is too long');
    yield* lines;
  }
}
