const HEAD_END = Buffer.from('\r\n\r\n');
/** Bytes of a response that are stored for error messages. */
const TEXT_BYTES = 500;
/** Statuses that have no body, whatever their headers say (RFC 9110 section 6.4.1). */
const WITHOUT_BODY = new Set([204, 304]);

/**
 * Finds the end of one HTTP/1.1 response with a Content-Length, in chunks, or without a body in a byte stream. Bodies
 * are counted and not stored: a generator that copies 100 KB per response would measure itself.
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

const [CR, LF] = [13, 10];
/** A size line with extensions is never this long. */
const LINE_BYTES_MAX = 1_024;

/** Finds the end of a body in chunks (RFC 9112 section 7.1) without storing it. */
class ChunkedBody {
  /** Bytes of the present chunk that are still to come. */
  #left = 0;
  /** The line so far, without its end: a size, the empty line after a chunk, or a trailer. */
  #line = '';
  #part: 'size' | 'data' | 'after data' | 'trailers' = 'size';

  /** True when these bytes complete the body. Throws on bytes that are no chunks, or that follow the end. */
  push(bytes: Uint8Array): boolean {
    let at = 0;
    while (at < bytes.byteLength) {
      if (this.#part === 'data') {
        const taken = Math.min(this.#left, bytes.byteLength - at);
        this.#left -= taken;
        at += taken;
        if (this.#left === 0) this.#part = 'after data';
        continue;
      }
      const byte = bytes[at] ?? 0;
      at += 1;
      if (byte !== LF) {
        if (byte !== CR) this.#line += String.fromCharCode(byte);
        if (this.#line.length > LINE_BYTES_MAX) throw new Error('a line between chunks has no end');
        continue;
      }
      if (this.#endLine()) {
        if (at < bytes.byteLength) throw new Error('more bytes than one response');
        return true;
      }
    }
    return false;
  }

  /** True at the empty line that ends the body. */
  #endLine(): boolean {
    const line = this.#line;
    this.#line = '';
    switch (this.#part) {
      case 'size': {
        const size = /^[0-9a-f]{1,12}(?=$|[ ;])/i.exec(line)?.[0];
        if (size === undefined) throw new Error(`no size of a chunk: ${line}`);
        this.#left = Number.parseInt(size, 16);
        this.#part = this.#left === 0 ? 'trailers' : 'data';
        return false;
      }
      case 'after data':
        if (line !== '') throw new Error('a chunk is longer than its size');
        this.#part = 'size';
        return false;
      default:
        return line === '';
    }
  }
}
