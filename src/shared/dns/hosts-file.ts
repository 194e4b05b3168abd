import { readFile } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';

/** A change of the file is seen within this time. */
const REREAD_MS = 5_000;
/** What lies behind is not read: some hosts files are block lists of megabytes. */
const LENGTH_MAX = 1024 * 1024;

/** Names of the machine's own hosts file, which go before DNS as they do for every other program. */
export class HostsFile {
  readonly #path: string;
  #names: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  #readAtMs = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Addresses of a name in lower case; null when the file does not list it or cannot be read. */
  async addressesOf(hostname: string): Promise<readonly string[] | null> {
    const nowMs = performance.now();
    if (this.#names === undefined || nowMs - this.#readAtMs >= REREAD_MS) {
      this.#readAtMs = nowMs;
      // Not having one is ordinary.
      this.#names = readFile(this.#path, 'utf8').then(parseHosts, () => new Map());
    }
    return (await this.#names).get(hostname) ?? null;
  }
}

/** Lines of an address and its names; what is no address (a zone id) is left out. */
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
