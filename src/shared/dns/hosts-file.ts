import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';

/** A change of the file takes effect within this time. */
const REREAD_MS = 5_000;
/** The rest of the file is not read: some hosts files are block lists of megabytes. */
const LENGTH_MAX = 1024 * 1024;

/** The machine's own hosts file, which takes precedence over DNS as for every other program. */
export class HostsFile {
  readonly #path: string;
  #names: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  #readAtMs = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the addresses of a name in lower case; null when the file does not list it or cannot be read. */
  async addressesOf(hostname: string): Promise<readonly string[] | null> {
    const nowMs = performance.now();
    if (this.#names === undefined || nowMs - this.#readAtMs >= REREAD_MS) {
      this.#readAtMs = nowMs;
      // Many machines have no such file.
      this.#names = readFile(this.#path, 'utf8').then(parseHosts, () => new Map());
    }
    return (await this.#names).get(hostname) ?? null;
  }
}

/**
 * Parses lines of an address and its names; a line without a valid address (one with a zone id) is left out.
 */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of text.slice(0, LENGTH_MAX).split('\n')) {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
    if (!ipaddr.isValid(address)) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      addresses.set(key, [...(addresses.get(key) ?? []), address]);
    }
  }
  return addresses;
}
