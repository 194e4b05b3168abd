import { ConfigurationError } from '../shared/configuration-error.ts';
import type { Logger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';
import { Problem } from '../shared/problem.ts';
import type { Readiness } from '../shared/readiness.ts';
import type { SecretBox } from '../shared/secret-box.ts';

/** As long as the driver waits for a connection. */
const ASK_TIMEOUT_MS = 5_000;
const REPEAT_MS = 1_000;

/**
 * Compares the keys of an api with those of the other processes (src/db/secret-keys.ts). An api that starts
 * without the database seals nothing and is not ready before the comparison.
 */
export class SecretKeyCheck {
  readonly #ask: () => Promise<void>;
  readonly #log: Logger;
  #isPending = false;

  /**
   * @param ask throws ConfigurationError for keys that must not be used, and other errors while the answer is
   * unknown
   */
  constructor(ask: () => Promise<void>, log: Logger) {
    this.#ask = ask;
    this.#log = log;
  }

  /** Compares once, for some seconds. Throws ConfigurationError. */
  async begin(): Promise<void> {
    this.#isPending = true;
    const decided = new AbortController();
    const verdict = await Promise.race([this.#verdict(), wait(ASK_TIMEOUT_MS, decided.signal)]);
    decided.abort();
    if (verdict instanceof ConfigurationError) throw verdict;
    if (this.#isPending) this.#log.warn('secret_key.not_compared');
  }

  /** Repeats until there is a result. Throws ConfigurationError. */
  async run(signal: AbortSignal): Promise<void> {
    while (this.#isPending && !signal.aborted) {
      await wait(REPEAT_MS, signal);
      const verdict = await this.#verdict();
      if (verdict instanceof ConfigurationError && !signal.aborted) throw verdict;
    }
  }

  /** Wraps a box so that it seals nothing before the check has passed. */
  guard(box: SecretBox): SecretBox {
    return {
      ...box,
      seal: (plaintext, context) => {
        if (this.#isPending) throw new Problem('api_dependency_unavailable');
        return box.seal(plaintext, context);
      },
    };
  }

  readonly readiness: Readiness = {
    name: 'secret_key',
    required: true,
    check: async () =>
      this.#isPending
        ? { ready: false, detail: 'SECRET_KEY was not compared with that of the other processes yet' }
        : { ready: true },
  };

  /** Resolves to the refusal, null when there is none, undefined while it is unknown. */
  async #verdict(): Promise<ConfigurationError | null | undefined> {
    try {
      await this.#ask();
      this.#isPending = false;
      return null;
    } catch (error) {
      return error instanceof ConfigurationError ? error : undefined;
    }
  }
}
