import type { Logger } from '../../shared/log.ts';
import type { StreamReader } from './readers/reader.ts';

/**
 * Interval of the checks. With the duration of one statement it is well within the 5 s of
 * contract/authentication#revocation.
 */
const LOOK_MS = 1_000;

export interface KeyWatchDependencies {
  log: Logger;
  readers(): Iterable<StreamReader>;
  /** The keys that are still valid. */
  usableKeys(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
  onRevoked(reader: StreamReader): void;
}

/**
 * Ends the streams of revoked and expired keys, with one statement per check, whatever the number of keys.
 */
export class KeyWatch {
  readonly #dependencies: KeyWatchDependencies;
  #isLooking = false;

  constructor(dependencies: KeyWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** Checks every second until the returned function is called. */
  start(): () => void {
    const timer = setInterval(() => void this.#look(), LOOK_MS);
    return () => clearInterval(timer);
  }

  /** Never rejects. Checks do not overlap. */
  async #look(): Promise<void> {
    const { log, readers, usableKeys, onRevoked } = this.#dependencies;
    const asked = new Set<string>();
    for (const { keyId } of readers()) if (keyId !== null) asked.add(keyId);
    if (this.#isLooking || asked.size === 0) return;
    this.#isLooking = true;
    try {
      const usable = await usableKeys([...asked]);
      for (const reader of [...readers()]) {
        const { keyId } = reader;
        // A stream that presented its key meanwhile is checked next time.
        if (keyId !== null && asked.has(keyId) && !usable.has(keyId)) onRevoked(reader);
      }
    } catch (err) {
      // The key store is unavailable: no key is known to be revoked.
      log.warn({ err }, 'streams.key_check_failed');
    } finally {
      this.#isLooking = false;
    }
  }
}
