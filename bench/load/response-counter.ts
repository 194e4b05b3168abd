const HEAD_END = Buffer.from('\r\n\r\n');

/** Finds the end of one HTTP/1.1 response with a Content-Length (or without a body) in a byte stream. */
export class ResponseCounter {
  #bytes = Buffer.alloc(0);
  #last = Buffer.alloc(0);

  /** The status of the response that this chunk completes, else null. */
  push(chunk: Uint8Array): number | null {
    this.#bytes = this.#bytes.byteLength === 0 ? Buffer.from(chunk) : Buffer.concat([this.#bytes, chunk]);
    const headEnd = this.#bytes.indexOf(HEAD_END);
    if (headEnd === -1) return null;
    const head = this.#bytes.toString('latin1', 0, headEnd);
    const contentLength = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + HEAD_END.byteLength + contentLength;
    if (this.#bytes.byteLength < end) return null;
    this.#last = this.#bytes;
    this.#bytes = this.#bytes.subarray(end);
    return Number(head.slice(9, 12));
  }

  /** The last complete response, for error messages. */
  lastText(): string {
    return this.#last.toString('utf8', 0, 500);
  }
}
