import type { ReasonOf } from '../../src/shared/webhooks/attempt-reasons.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { PendingLine } from './pending-line.ts';
import {
  announcesBody,
  framingOf,
  isFold,
  keepsConnection,
  type NotedFields,
  noteField,
  parseChunkSize,
  parseStatusLine,
  type StatusLine,
} from './response-grammar.ts';

export interface ResponseHead {
  status: number;
  /** The header fields, unparsed, each byte a character (latin1); null when absent. */
  location: string | null;
  retryAfter: string | null;
}

/** Most bytes of all heads including interim ones, of all trailers, and of the line with the size of a chunk. */
const TEXT_BYTES_MAX = 16 * 1024;
/** Most bytes read after the head (contract/delivery#response-body), chunk sizes included. */
const BODY_BYTES_MAX = 64 * 1024;
/** Most interim responses (1xx). With more, the attempt fails. */
const INTERIM_RESPONSES_MAX = 32;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = '\r';
const CHUNK_END = Buffer.from('\r\n');

type State =
  | 'status-line'
  | 'fields'
  | 'sized'
  | 'until-end'
  | 'chunk-size'
  | 'chunk'
  | 'chunk-end'
  | 'trailers'
  | 'complete'
  | 'broken';

/**
 * Parses one HTTP/1.x response to a POST (RFC 9112) from the pieces in which it arrives. Framing protects the next
 * response on the connection, so a response that can be read in two ways ends at that point: `broken`. Framing does not
 * decide the outcome: once the final status line was read, the status counts. Before that, the first error is thrown as
 * AttemptFailure. Memory is bounded, and each byte is read once, whatever the size of the pieces.
 */
export class ResponseParser {
  readonly #onBody: (bytes: Buffer) => void;
  #state: State = 'status-line';
  #statusLine: StatusLine = { status: 0, isOld: false, isOdd: false };
  #fields: NotedFields = {};
  /** Whether the line before is a field that the next line may continue. */
  #isFoldable = false;
  #head: ResponseHead | null = null;
  readonly #line = new PendingLine();
  #textBytesLeft = TEXT_BYTES_MAX;
  /** Bytes that may still arrive after the head. */
  #bodyBytesLeft = BODY_BYTES_MAX;
  /** Bytes left of the body, of its chunk, or of the line end after the chunk. */
  #bytesLeft = 0;
  #interimResponses = 0;
  /** Whether an interim response was malformed. */
  #isDoubtful = false;
  #isUntouched = true;
  #isTooLong = false;
  #isPersistent = false;
  #hasSurplus = false;

  /** @param onBody called with each piece of the body, which is valid only during the call */
  constructor(onBody: (bytes: Buffer) => void) {
    this.#onBody = onBody;
  }

  /** The final status; null until its line was read. */
  get status(): number | null {
    const { status } = this.#statusLine;
    return status < 200 ? null : status;
  }

  /** The head of the final response, without fields if these are malformed; null until it has ended. */
  get head(): ResponseHead | null {
    return this.#head;
  }

  /** Whether only line ends have arrived, which may belong to the response before. */
  get isUntouched(): boolean {
    return this.#isUntouched;
  }

  /** Whether nothing more is read. `head` is known then. */
  get isEnded(): boolean {
    return this.isComplete || this.#isTooLong || this.#state === 'broken';
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** Whether more than 64 KiB have arrived after the head. The rest is neither read nor checked. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** Whether another request may follow on the connection, once the response is complete. */
  get isReusable(): boolean {
    return this.#isPersistent && this.isComplete && !this.#hasSurplus;
  }

  push(bytes: Buffer): void {
    this.#isUntouched &&= bytes.every((byte) => byte === CHUNK_END[0] || byte === LINE_FEED);
    let at = 0;
    try {
      while (at < bytes.length && !this.isEnded)
        at = this.#head === null ? this.#take(bytes, at, bytes.length) : this.#takeAfterHead(bytes, at);
    } catch (error) {
      this.#breakOff(error);
    }
    this.#hasSurplus ||= at < bytes.length;
  }

  /** The connection has ended. */
  end(): void {
    if (this.isEnded) return;
    if (this.#state === 'until-end') this.#state = 'complete';
    else this.#breakOff(this.#failure('response_truncated', 'the response was cut off'));
  }

  #breakOff(error: unknown): void {
    if (this.status === null || !(error instanceof AttemptFailure)) throw error;
    this.#head ??= { status: this.status, location: null, retryAfter: null };
    this.#state = 'broken';
  }

  #takeAfterHead(bytes: Buffer, at: number): number {
    if (this.#bodyBytesLeft === 0) {
      this.#isTooLong = true;
      return bytes.length;
    }
    const next = this.#take(bytes, at, Math.min(bytes.length, at + this.#bodyBytesLeft));
    this.#bodyBytesLeft -= next - at;
    return next;
  }

  /** Takes the next part of the bytes from `at` to `end`, and returns the position after it. */
  #take(bytes: Buffer, at: number, end: number): number {
    switch (this.#state) {
      case 'chunk-end':
        return this.#takeChunkEnd(bytes, at);
      case 'until-end':
        this.#onBody(bytes.subarray(at, end));
        return end;
      case 'sized':
      case 'chunk':
        return this.#takeBody(bytes, at, end);
      default:
        return this.#takeLine(bytes, at, end);
    }
  }

  #takeLine(bytes: Buffer, at: number, end: number): number {
    const lineFeed = bytes.indexOf(LINE_FEED, at);
    const isWhole = lineFeed !== -1 && lineFeed < end;
    const next = isWhole ? lineFeed + 1 : end;
    this.#textBytesLeft -= next - at;
    if (this.#textBytesLeft < 0) {
      throw this.#failure('response_headers_too_large', 'the headers of the response are too long');
    }
    if (isWhole) this.#onLine(this.#line.end(bytes, at, lineFeed));
    else this.#line.add(bytes.subarray(at, end));
    return next;
  }

  #onLine(ended: string): void {
    const isWhole = ended.endsWith(CARRIAGE_RETURN);
    const line = isWhole ? ended.slice(0, -1) : ended;
    const state = this.#state;
    // A status counts whatever ends its line.
    if (state === 'status-line') this.#onStatusLine(line);
    if (!isWhole) this.#doubt();
    if (state === 'fields') this.#onField(line);
    else if (state === 'chunk-size') this.#onChunkSize(line);
    else if (state === 'trailers') this.#onTrailer(line);
  }

  #takeBody(bytes: Buffer, at: number, end: number): number {
    const next = Math.min(end, at + this.#bytesLeft);
    this.#bytesLeft -= next - at;
    this.#onBody(bytes.subarray(at, next));
    if (this.#bytesLeft === 0) {
      this.#state = this.#state === 'chunk' ? 'chunk-end' : 'complete';
      this.#bytesLeft = CHUNK_END.length;
    }
    return next;
  }

  #takeChunkEnd(bytes: Buffer, at: number): number {
    if (bytes[at] !== CHUNK_END[CHUNK_END.length - this.#bytesLeft]) throw this.#malformed();
    this.#bytesLeft -= 1;
    if (this.#bytesLeft === 0) this.#beginText('chunk-size');
    return at + 1;
  }

  #beginText(state: 'chunk-size' | 'trailers'): void {
    this.#state = state;
    this.#isFoldable = false;
    this.#textBytesLeft = TEXT_BYTES_MAX;
  }

  #onStatusLine(line: string): void {
    // Some servers send a line end after a body, and do not count it in the length.
    if (line === '') return;
    const statusLine = parseStatusLine(line);
    if (statusLine === null) throw this.#malformed();
    this.#statusLine = statusLine;
    this.#fields = {};
    this.#isFoldable = false;
    this.#state = 'fields';
    if (statusLine.isOdd || this.#isDoubtful) this.#doubt();
  }

  #onField(line: string): void {
    if (line === '') this.#onHead(this.#statusLine, this.#fields);
    else this.#noteField(line, this.#fields);
  }

  #noteField(line: string, fields: NotedFields): void {
    if (this.#isFoldable && isFold(line)) return;
    const isFoldable = noteField(line, fields);
    if (isFoldable === null) this.#doubt();
    this.#isFoldable = isFoldable ?? false;
  }

  #onHead(statusLine: StatusLine, fields: NotedFields): void {
    const { status } = statusLine;
    const framing = framingOf(statusLine, fields);
    if (status === 101)
      throw new AttemptFailure(
        { code: 'network_error', reason: 'protocol_switched' },
        'the destination switched protocols',
        status,
      );
    if (status < 200) {
      // The connection has to stay open for the final response.
      if (framing === null || !keepsConnection(statusLine, fields)) this.#doubt();
      this.#onInterim();
      return;
    }
    const { location: [location = null] = [], 'retry-after': [retryAfter = null] = [] } = fields;
    this.#head = { status, location, retryAfter };
    if (framing === null) throw this.#malformed();
    const mayBeFollowed = framing.kind === 'none' ? !announcesBody(fields) : framing.kind !== 'until-end';
    this.#isPersistent = mayBeFollowed && keepsConnection(statusLine, fields);
    if (framing.kind === 'chunks') this.#beginText('chunk-size');
    else if (framing.kind === 'until-end') this.#state = 'until-end';
    else {
      this.#bytesLeft = framing.kind === 'length' ? framing.bytes : 0;
      this.#state = this.#bytesLeft === 0 ? 'complete' : 'sized';
    }
  }

  #onInterim(): void {
    this.#interimResponses += 1;
    if (this.#interimResponses > INTERIM_RESPONSES_MAX)
      throw this.#failure('too_many_interim_responses', 'too many 1xx responses');
    this.#state = 'status-line';
  }

  #onChunkSize(line: string): void {
    const size = parseChunkSize(line);
    if (size === null) throw this.#malformed();
    this.#bytesLeft = size;
    if (size === 0) this.#beginText('trailers');
    else this.#state = 'chunk';
  }

  #onTrailer(line: string): void {
    if (line === '') this.#state = 'complete';
    else this.#noteField(line, {});
  }

  /** Something malformed was read: in an interim response, whose end is certain all the same, it is only noted. */
  #doubt(): void {
    const { status } = this.#statusLine;
    if (status < 100 || status >= 200) throw this.#malformed();
    this.#isDoubtful = true;
  }

  #malformed(): AttemptFailure {
    return this.#failure('response_malformed', 'the response is malformed');
  }

  #failure(reason: ReasonOf<'network_error'>, detail: string): AttemptFailure {
    return new AttemptFailure({ code: 'network_error', reason }, detail);
  }
}
