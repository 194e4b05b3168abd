const FIRST_BYTES = 256;
const EMPTY = Buffer.alloc(0);

/** The beginning of a line whose end has not arrived. Each byte is copied at most twice. */
export class PendingLine {
  #bytes: Buffer = EMPTY;
  #length = 0;

  /** Adds a piece that does not end the line. */
  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Returns the whole line, which the bytes from `at` to `end` complete, and begins the next line. */
  end(bytes: Buffer, at: number, end: number): string {
    if (this.#length === 0) return bytes.toString('latin1', at, end);
    this.add(bytes.subarray(at, end));
    const line = this.#bytes.toString('latin1', 0, this.#length);
    this.#bytes = EMPTY;
    this.#length = 0;
    return line;
  }
}
