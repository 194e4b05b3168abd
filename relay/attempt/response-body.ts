/** Stored with the attempt. */
const KEPT_BYTES_MAX = 1024;
const EMPTY = new Uint8Array();

/** Keeps the first 1 KiB of the body of a response, without decoding any content coding. */
export class BodyStart {
  #kept: Uint8Array = EMPTY;

  add(bytes: Uint8Array): void {
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
