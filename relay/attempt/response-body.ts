/** More of a response is never read (contract/delivery#response-body). */
const READ_BYTES_MAX = 64 * 1024;
/** Stored with the attempt. */
const KEPT_BYTES_MAX = 1024;
const EMPTY = new Uint8Array();

/** Counts the body of a response and keeps its first 1 KiB, without decoding any content coding. */
export class BodyStart {
  #kept: Uint8Array = EMPTY;
  #readBytes = 0;

  /** Whether more than 64 KiB have arrived: the rest is not read. */
  get isTooLong(): boolean {
    return this.#readBytes > READ_BYTES_MAX;
  }

  add(bytes: Uint8Array): void {
    this.#readBytes += bytes.byteLength;
    if (this.#kept.byteLength === KEPT_BYTES_MAX || bytes.byteLength === 0) return;
    const kept = bytes.subarray(0, KEPT_BYTES_MAX - this.#kept.byteLength);
    // A copy, also of the first piece: the rest of its memory must not be kept with it.
    const joined = new Uint8Array(this.#kept.byteLength + kept.byteLength);
    joined.set(this.#kept);
    joined.set(kept, this.#kept.byteLength);
    this.#kept = joined;
  }

  bytes(): Uint8Array {
    return this.#kept;
  }
}
