/** Runs a text with its parameters `$1`, `$2` and so on. */
type Run = (text: string, parameters: unknown[]) => Promise<unknown>;

/**
 * Composes statements as the driver's template does: values become parameters, parts of the same template
 * become text. A statement runs when it is awaited.
 */
export function composer(run: Run) {
  return (first: TemplateStringsArray | string, ...values: readonly unknown[]): Part =>
    typeof first === 'string' ? new Part(run, [quoted(first)], []) : new Part(run, first, values);
}

class Part implements PromiseLike<unknown> {
  readonly #run: Run;
  readonly #texts: readonly string[];
  readonly #values: readonly unknown[];

  constructor(run: Run, texts: readonly string[], values: readonly unknown[]) {
    this.#run = run;
    this.#texts = texts;
    this.#values = values;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited as the driver's are.
  then<Fulfilled, Rejected>(
    onFulfilled?: ((rows: unknown) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    const parameters: unknown[] = [];
    return this.#run(this.#compose(parameters), parameters).then(onFulfilled, onRejected);
  }

  catch(onRejected: (reason: unknown) => unknown): Promise<unknown> {
    return this.then((rows) => rows, onRejected);
  }

  #compose(parameters: unknown[]): string {
    let text = this.#texts[0] ?? '';
    for (let at = 0; at < this.#values.length; at += 1) {
      const value = this.#values[at];
      if (value instanceof Part) text += value.#compose(parameters);
      else {
        // The server would take it for null.
        if (value === undefined) throw new TypeError('a parameter of a statement is undefined');
        text += `$${parameters.push(value)}`;
      }
      text += this.#texts[at + 1];
    }
    return text;
  }
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""').replaceAll('.', '"."')}"`;
}
