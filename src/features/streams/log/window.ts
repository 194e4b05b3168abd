import type { ComposedEntry } from '../messages/compose.ts';

/** One minute at 300 changes a second; about 20 MB with the messages of histories. */
const ENTRIES_MAX = 20_000;
/** Total length of its messages: bounds its memory when events are large. */
const TEXT_MAX = 32 * 1024 * 1024;

/** The newest part of the log, in memory: a client that comes back soon costs the database nothing. */
export class LogWindow {
  #held: { entry: ComposedEntry; textLength: number }[] = [];
  /** Index of the first valid entry in `#held`. */
  #first = 0;
  #textLength = 0;
  #start: bigint;

  constructor(start: bigint) {
    this.#start = start;
  }

  /** Every entry after this id, up to where the log was read, is here. */
  get start(): bigint {
    return this.#start;
  }

  get size(): number {
    return this.#held.length - this.#first;
  }

  /** Adds the next entries, after their messages were sent. */
  add(entries: readonly ComposedEntry[]): void {
    for (const { kind, mintAddress } of entries)
      if (kind === 'token' && mintAddress !== null) this.#composeAnew(mintAddress);
    for (const entry of entries) {
      const textLength = entry.message?.text.length ?? 0;
      this.#held.push({ entry, textLength });
      this.#textLength += textLength;
    }
    while (this.size > ENTRIES_MAX || this.#textLength > TEXT_MAX) this.#drop();
    if (this.#first > ENTRIES_MAX) {
      this.#held = this.#held.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Entries after an id. The id must not be before the start. */
  after(id: bigint): ComposedEntry[] {
    let low = this.#first;
    let high = this.#held.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#held[middle]?.entry.id ?? 0n) <= id) low = middle + 1;
      else high = middle;
    }
    return this.#held.slice(low).map(({ entry }) => entry);
  }

  /**
   * A token may have been hidden or shown: returning streams then no longer get its messages, or get them
   * again.
   */
  #composeAnew(mint: string): void {
    for (let at = this.#first; at < this.#held.length; at += 1) {
      const held = this.#held[at];
      if (held === undefined || !isAbout(held.entry, mint)) continue;
      delete held.entry.message;
      this.#textLength -= held.textLength;
      held.textLength = 0;
    }
  }

  #drop(): void {
    const dropped = this.#held[this.#first];
    this.#first += 1;
    if (dropped === undefined) return;
    this.#textLength -= dropped.textLength;
    this.#start = dropped.entry.id;
  }
}

/** Events name their token in their text alone, so the token of a hidden event is unknown. */
function isAbout({ kind, mintAddress, message }: ComposedEntry, mint: string): boolean {
  if (message === undefined) return false;
  return kind === 'event' ? message === null || message.text.includes(mint) : mintAddress === mint;
}
