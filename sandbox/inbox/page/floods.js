/** This many entries of one kind within one span are a flood, which is shown as one entry. */
const FLOOD = 5;
const SPAN_MS = 10_000;

/** Folds floods of a list: the newest entry is shown with a count until the reader opens the flood. */
export class Floods {
  #unfolded = new Set();

  /**
   * The flood of each entry, or undefined when it is shown alone. Entries come newest first, with their `kind`, `time` in
   * milliseconds and, where they differ, `least` and `spanMs`. Spans are parts of the clock, so an entry never changes its
   * flood.
   */
  of(entries) {
    const floods = new Map();
    for (const [entry, { kind, time, least = FLOOD, spanMs = SPAN_MS }] of entries) {
      const key = `${Math.floor(time / spanMs)} ${kind}`;
      const flood = floods.get(key) ?? { key, least, entries: [] };
      flood.entries.push(entry);
      floods.set(key, flood);
    }
    const folded = new Map();
    for (const flood of floods.values()) {
      if (flood.entries.length < flood.least) continue;
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
