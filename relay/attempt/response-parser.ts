import { AttemptFailure } from './attempt-failure.ts';

/** What an attempt needs of a response's head. */
export interface ResponseHead {
  status: number;
  /** The header fields, unparsed; null when absent. */
  location: string | null;
  retryAfter: string | null;
}

/** Status line and header fields, or the trailer fields, together; also the longest line of a chunk's size. */
const TEXT_BYTES_MAX = 16 * 1024;
/** Interim responses (1xx) after which the attempt fails. */
const INTERIM_RESPONSES_MAX = 32;
const LINE_END = '\r\n';
const EMPTY = Buffer.alloc(0);
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d{2})(?: [\t\x20-\x7e\x80-\xff]*)?$/;
/** Neither a continued line nor a control character: such responses are refused. */
const FIELD = /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;
const LENGTH = /^\d{1,15}$/;
const CHUNK_SIZE = /^([\da-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
/** A line end that is not CR LF. */
const BARE_LINE_END = /(?:^|[^\r])\n|\r[^\n]/;

type State = 'head' | 'sized' | 'until-end' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'complete';

/**
 * Parses one HTTP/1.x response to a POST (RFC 9112) from the pieces in which it arrives. Strict: what is ambiguous, or could be read in
 * two ways, is no response. Its memory is bounded, whatever arrives. Throws AttemptFailure at the first thing that is wrong.
 */
export class ResponseParser {
  readonly #onBody: (bytes: Buffer) => void;
  #state: State = 'head';
  #head: ResponseHead | null = null;
  /** The beginning of a line, or of the head, whose end has not arrived. */
  #held: Buffer = EMPTY;
  /** Of the body, or of its chunk. */
  #bytesLeft = 0;
  #trailerBytes = 0;
  #interimResponses = 0;
  #isUntouched = true;
  #isPersistent = false;
  #hasSurplus = false;

  /** @param onBody called with each piece of the body, which is only good during the call */
  constructor(onBody: (bytes: Buffer) => void) {
    this.#onBody = onBody;
  }

  /** Of the final response; null until it is complete. */
  get head(): ResponseHead | null {
    return this.#head;
  }

  /** Whether nothing at all has arrived. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** Whether another request may follow on the connection, once the response is complete. */
  get isReusable(): boolean {
    return this.#isPersistent && this.isComplete && !this.#hasSurplus;
  }

  push(bytes: Buffer): void {
    this.#isUntouched = false;
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = EMPTY;
    while (rest.length > 0) {
      if (this.#state === 'complete') {
        this.#hasSurplus = true;
        return;
      }
      rest = this.#take(rest);
    }
  }

  /** The connection has ended. */
  end(): void {
    if (this.#state === 'until-end') this.#state = 'complete';
    if (this.#state !== 'complete') throw this.#malformed('the response was cut off');
  }

  /** Takes the next part; returns what is behind it. */
  #take(bytes: Buffer): Buffer {
    switch (this.#state) {
      case 'head':
        return this.#takeText(bytes, LINE_END + LINE_END, (text) => this.#onHead(text));
      case 'chunk-size':
        return this.#takeText(bytes, LINE_END, (line) => this.#onChunkSize(line));
      case 'chunk-end':
        return this.#takeText(bytes, LINE_END, (line) => this.#onChunkEnd(line));
      case 'trailers':
        return this.#takeText(bytes, LINE_END, (line) => this.#onTrailer(line));
      case 'until-end':
        this.#onBody(bytes);
        return EMPTY;
      default:
        return this.#takeBody(bytes);
    }
  }

  #takeText(bytes: Buffer, terminator: string, onText: (text: string) => void): Buffer {
    const end = bytes.indexOf(terminator, 0, 'latin1');
    if (end === -1 && bytes.length <= TEXT_BYTES_MAX) {
      if (BARE_LINE_END.test(bytes.toString('latin1'))) throw this.#malformed('the response is malformed');
      this.#held = bytes;
      return EMPTY;
    }
    if (end === -1 || end > TEXT_BYTES_MAX) throw this.#malformed('the headers of the response are too long');
    onText(bytes.toString('latin1', 0, end));
    return bytes.subarray(end + terminator.length);
  }

  #takeBody(bytes: Buffer): Buffer {
    const taken = bytes.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= taken.length;
    this.#onBody(taken);
    if (this.#bytesLeft === 0) this.#state = this.#state === 'chunk' ? 'chunk-end' : 'complete';
    return bytes.subarray(taken.length);
  }

  #onHead(text: string): void {
    const [statusLine = '', ...lines] = text.split(LINE_END);
    const [, minorVersion, code] = STATUS_LINE.exec(statusLine) ?? [];
    if (code === undefined) throw this.#malformed('the response is malformed');
    const status = Number(code);
    const fields = this.#fieldsOf(lines);
    if (status === 101)
      throw new AttemptFailure('network_error', 'the destination switched protocols', status);
    if (status < 200) {
      this.#interimResponses += 1;
      if (this.#interimResponses > INTERIM_RESPONSES_MAX)
        throw new AttemptFailure('network_error', 'too many 1xx responses');
      return;
    }
    const one = (name: string) => fields.get(name)?.[0] ?? null;
    this.#head = { status, location: one('location'), retryAfter: one('retry-after') };
    const isOld = minorVersion === '0';
    this.#state = this.#framing(status, isOld, fields);
    const connection = listOf(fields.get('connection'));
    this.#isPersistent =
      this.#state !== 'until-end' &&
      (isOld ? connection.includes('keep-alive') : !connection.includes('close'));
  }

  #fieldsOf(lines: readonly string[]): Map<string, string[]> {
    const fields = new Map<string, string[]>();
    for (const line of lines) {
      const [, name, value = ''] = FIELD.exec(line) ?? [];
      if (name === undefined) throw this.#malformed('the response is malformed');
      const key = name.toLowerCase();
      const values = fields.get(key);
      if (values === undefined) fields.set(key, [value.trimEnd()]);
      else values.push(value.trimEnd());
    }
    return fields;
  }

  /** How the end of the body is known (RFC 9112 section 6.3). */
  #framing(status: number, isOld: boolean, fields: ReadonlyMap<string, readonly string[]>): State {
    const lengths = listOf(fields.get('content-length'));
    const codings = listOf(fields.get('transfer-encoding'));
    if (status === 204 || status === 304) return 'complete';
    if (codings.length > 0) {
      if (lengths.length > 0 || isOld) throw this.#malformed('the response is malformed');
      return codings.at(-1) === 'chunked' ? 'chunk-size' : 'until-end';
    }
    const [length] = lengths;
    if (length === undefined) return 'until-end';
    if (!LENGTH.test(length) || lengths.some((other) => other !== length))
      throw this.#malformed('the response is malformed');
    this.#bytesLeft = Number(length);
    return this.#bytesLeft === 0 ? 'complete' : 'sized';
  }

  #onChunkSize(line: string): void {
    const [, size] = CHUNK_SIZE.exec(line) ?? [];
    if (size === undefined) throw this.#malformed('the response is malformed');
    this.#bytesLeft = Number.parseInt(size, 16);
    this.#state = this.#bytesLeft === 0 ? 'trailers' : 'chunk';
  }

  #onChunkEnd(line: string): void {
    if (line !== '') throw this.#malformed('the response is malformed');
    this.#state = 'chunk-size';
  }

  #onTrailer(line: string): void {
    if (line === '') {
      this.#state = 'complete';
      return;
    }
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > TEXT_BYTES_MAX)
      throw this.#malformed('the headers of the response are too long');
    this.#fieldsOf([line]);
  }

  #malformed(detail: string): AttemptFailure {
    return new AttemptFailure('network_error', detail, this.#head?.status ?? null);
  }
}

/** The members of a field whose value is a list, in lower case. */
function listOf(values: readonly string[] | undefined): string[] {
  if (values === undefined) return [];
  return values
    .flatMap((value) => value.split(','))
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');
}
