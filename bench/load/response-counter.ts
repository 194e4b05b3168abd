import { ChunkedBody } from './chunked-body.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
/** Bytes of a response that are stored for error messages. */
const TEXT_BYTES = 500;
/** Statuses that have no body, whatever their headers say (RFC 9110 section 6.4.1). */
const WITHOUT_BODY = new Set([204, 304]);

/**
 * Finds the end of one HTTP/1.1 response with a Content-Length, in chunks, or without a body in a byte stream. Bodies are counted
 * and not stored: a generator that copies 100 KB per response would measure itself.
 */
export class ResponseCounter {
  #head = Buffer.alloc(0);
  #status = 0;
  /** Body bytes still to come; null while the head is incomplete, and for a body in chunks. */
  #pendingBytes: number | null = null;
  #chunked: ChunkedBody | null = null;
  #last = Buffer.alloc(0);

  /** The status of the response that this chunk completes, else null. Throws on bytes that are no single response. */
  push(chunk: Uint8Array): number | null {
    if (this.#chunked !== null) return this.#pushChunked(this.#chunked, chunk);
    if (this.#pendingBytes === null) {
      this.#head = this.#head.byteLength === 0 ? Buffer.from(chunk) : Buffer.concat([this.#head, chunk]);
      const headEnd = this.#head.indexOf(HEAD_END);
      if (headEnd === -1) return null;
      const head = this.#head.toString('latin1', 0, headEnd);
      this.#status = Number(head.slice(9, 12));
      if (!WITHOUT_BODY.has(this.#status) && /^transfer-encoding: *chunked/im.test(head)) {
        this.#chunked = new ChunkedBody();
        return this.#pushChunked(this.#chunked, this.#head.subarray(headEnd + HEAD_END.byteLength));
      }
      const received = this.#head.byteLength - headEnd - HEAD_END.byteLength;
      this.#pendingBytes = bodyLength(head, this.#status) - received;
    } else {
      this.#pendingBytes -= chunk.byteLength;
    }
    if (this.#pendingBytes > 0) return null;
    if (this.#pendingBytes < 0)
      throw new Error(`more bytes than one response: ${this.#head.toString('utf8', 0, TEXT_BYTES)}`);
    return this.#complete();
  }

  #pushChunked(body: ChunkedBody, bytes: Uint8Array): number | null {
    return body.push(bytes) ? this.#complete() : null;
  }

  #complete(): number {
    this.#last = this.#head;
    this.#head = Buffer.alloc(0);
    this.#pendingBytes = null;
    this.#chunked = null;
    return this.#status;
  }

  /** The beginning of the last complete response, for error messages. */
  lastText(): string {
    return this.#last.toString('utf8', 0, TEXT_BYTES);
  }
}

function bodyLength(head: string, status: number): number {
  if (WITHOUT_BODY.has(status)) return 0;
  return Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
}
