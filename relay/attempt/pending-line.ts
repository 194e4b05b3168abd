const FIRST_BYTES = 256;
const EMPTY = Buffer.alloc(0);

/** The beginning of a line without its end. Each byte is copied at most twice. */
export class PendingLine {
  #bytes: Buffer = EMPTY;
  #length = 0;

  /** Adds a piece without an end. */
  hold(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** The whole line, ended by the bytes from `at` to `end`. The next line begins. */
  end(bytes: Buffer, at: number, end: number): string {
    if (this.#length === 0) return bytes.toString('latin1', at, end);
    this.hold(bytes.subarray(at, end));
    const line = this.#bytes.toString('latin1', 0, this.#length);
    this.#bytes = EMPTY;
    this.#length = 0;
    return line;
  }
}
