/** So many entries of one kind within one span of so many milliseconds are a flood, and shown as one. */
const FLOOD = 5;
const SPAN_MS = 10_000;

/** Folds floods of a list: the newest of each is shown with a count, until somebody asks for all of them. */
export class Floods {
  #unfolded = new Set();

  /**
   * What to do with entries, newest first, which come with their `kind` and `time` (milliseconds): for each either nothing, when it
   * is shown as it is, or the flood that it belongs to. Spans are parts of the clock, so an entry never changes its flood.
   */
  of(entries) {
    const floods = new Map();
    for (const [entry, { kind, time }] of entries) {
      const key = `${Math.floor(time / SPAN_MS)} ${kind}`;
      const flood = floods.get(key) ?? { key, entries: [] };
      flood.entries.push(entry);
      floods.set(key, flood);
    }
    const folded = new Map();
    for (const flood of floods.values()) {
      if (flood.entries.length < FLOOD) continue;
      const isOpen = this.#unfolded.has(flood.key);
      for (const entry of flood.entries) folded.set(entry, { ...flood, isOpen });
    }
    return folded;
  }

  /** Shows all of a flood, or folds it again. */
  toggle({ key }) {
    if (!this.#unfolded.delete(key)) this.#unfolded.add(key);
  }
}
