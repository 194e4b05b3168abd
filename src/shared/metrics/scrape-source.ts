/** A gauge whose value is loaded for a scrape. */
export interface ScrapedGauge {
  set(value: number, labels?: Record<string, string>): void;
  /** Removes it from the exposition. */
  clear(): void;
}

/** Values that cost a statement or a request. */
export interface ScrapeSource {
  /** The label of its failures. */
  name: string;
  /** Removed from the exposition while the values are unknown: no value is better than an old one. */
  gauges: readonly ScrapedGauge[];
  /** Loads the values, and returns a function that sets the gauges. */
  load(): Promise<() => void>;
}

/** A source is loaded at most this often, whatever the number of scrapes. */
const MAX_AGE_MS = 5_000;
/** Longest wait of a scrape for a source; Prometheus gives up after 10 s by default. */
const DEADLINE_MS = 2_000;

/** Loads one source at a bounded rate and one load at a time; a scrape never waits long for it. */
export class ScrapedValues {
  readonly #source: ScrapeSource;
  readonly #onFailure: (sourceName: string) => void;
  readonly #nowMs: () => number;
  #asked: Promise<void> | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(source: ScrapeSource, onFailure: (sourceName: string) => void, nowMs: () => number) {
    this.#source = source;
    this.#onFailure = onFailure;
    this.#nowMs = nowMs;
  }

  /** Updates the gauges, or removes them. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#asked === null && this.#nowMs() - this.#askedAtMs < MAX_AGE_MS) return;
    this.#asked ??= this.#ask();
    let timer: Timer | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer in time')), DEADLINE_MS);
    });
    try {
      await Promise.race([this.#asked, deadline]);
    } catch {
      this.#onFailure(this.#source.name);
      for (const gauge of this.#source.gauges) gauge.clear();
    } finally {
      clearTimeout(timer);
    }
  }

  async #ask(): Promise<void> {
    this.#askedAtMs = this.#nowMs();
    try {
      const apply = await this.#source.load();
      for (const gauge of this.#source.gauges) gauge.clear();
      apply();
    } finally {
      this.#asked = null;
    }
  }
}
