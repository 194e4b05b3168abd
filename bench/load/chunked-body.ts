const [CR, LF] = [13, 10];
/** A size line with extensions is never this long. */
const LINE_BYTES_MAX = 1_024;

/** Finds the end of a body in chunks (RFC 9112 section 7.1) without storing it. */
export class ChunkedBody {
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
