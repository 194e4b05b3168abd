import type { ProcessMetrics, Tally } from './process-metrics.ts';

export interface LabelledCountsOptions {
  help: string;
  labels: readonly string[];
  /** Label values to expose with 0 before they occur, so that a rate is known from the first count on. */
  known?: readonly (readonly string[])[];
}

/** A counter in plain objects; label values must be a bounded set. */
export class LabelledCounts {
  readonly #labels: readonly string[];
  readonly #tallies = new Map<string, Tally>();

  constructor(metrics: ProcessMetrics, name: string, { help, labels, known = [] }: LabelledCountsOptions) {
    this.#labels = labels;
    for (const values of known) this.#tally(values);
    metrics.tallies(name, help, labels, () => this.#tallies.values());
  }

  /** @param values label values, in the order of the labels */
  add(...values: readonly string[]): void {
    this.#tally(values).count += 1;
  }

  #tally(values: readonly string[]): Tally {
    // Most counters have one label, and joining takes longer than counting.
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\n');
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    const labels = Object.fromEntries(this.#labels.map((label, at) => [label, values[at] ?? '']));
    const created = { labels, count: 0 };
    this.#tallies.set(key, created);
    return created;
  }
}
