import type { Logger } from '../../shared/log.ts';
import type { StreamReader } from './readers/reader.ts';

/**
 * How often keys of open streams are looked at. With what one statement takes this is well within the 5 s of
 * contract/authentication#revocation.
 */
const LOOK_MS = 1_000;

export interface KeyWatchDependencies {
  log: Logger;
  readers(): Iterable<StreamReader>;
  /** Those of the keys that may still be used. */
  usableKeys(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
  onRevoked(reader: StreamReader): void;
}

/** Ends the streams of keys that were revoked or have expired: one statement a look, whatever the number of keys. */
export class KeyWatch {
  readonly #dependencies: KeyWatchDependencies;
  #isLooking = false;

  constructor(dependencies: KeyWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** Looks every second until the result is called. */
  start(): () => void {
    const timer = setInterval(() => void this.#look(), LOOK_MS);
    return () => clearInterval(timer);
  }

  /** Never rejects. A look that takes long is not overtaken by the next. */
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
        // One that presented its key meanwhile is looked at next time.
        if (keyId !== null && asked.has(keyId) && !usable.has(keyId)) onRevoked(reader);
      }
    } catch (err) {
      // The key store is away: nobody can say that a key was revoked.
      log.warn({ err }, 'streams.key_check_failed');
    } finally {
      this.#isLooking = false;
    }
  }
}
