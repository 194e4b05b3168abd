/** A value that is found out per scrape. */
export interface ScrapedGauge {
  set(value: number, labels?: Record<string, string>): void;
  /** Takes it out of the exposition. */
  clear(): void;
}

/** Values that cost a statement or a request to find out. */
export interface ScrapeSource {
  /** The label of its failures. */
  name: string;
  /** Taken out of the exposition while the values are unknown: no answer is better than an old one. */
  gauges: readonly ScrapedGauge[];
  /** Asks, and returns what sets the gauges. */
  load(): Promise<() => void>;
}

/** However often someone scrapes, a source is asked no more than this. */
const MAX_AGE_MS = 5_000;
/** A scrape does not wait longer for a source; Prometheus gives up after 10 s by default. */
const DEADLINE_MS = 2_000;

/** Asks one source at a bounded rate: one question at a time, and a scrape never waits long for it. */
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

  /** Brings the gauges up to date, or takes them out. Never rejects. */
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
