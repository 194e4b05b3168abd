/** An address of the chain in the configuration: a node, or a landing service. */
export interface NodeAddress {
  /** Unique, and without secrets: it appears in logs, metrics and responses. */
  readonly name: string;
  readonly url: string;
  /** Whoever has the address keeps transactions from others until they land. */
  readonly isProtected: boolean;
  /** A node of the operator: what it simulates stays there. */
  readonly isOwn?: boolean;
}

/** An address as the configuration writes it: the name is null where it gives none. */
export interface WrittenAddress extends Omit<NodeAddress, 'name'> {
  readonly name: string | null;
}

/** A node of the configuration, or a URL, whose name is its host. */
export type NodeOrUrl = Pick<NodeAddress, 'name' | 'url' | 'isOwn'> | string;

export function namedNode(node: NodeOrUrl): Pick<NodeAddress, 'name' | 'url' | 'isOwn'> {
  return typeof node === 'string' ? { name: hostName(node), url: node } : node;
}

/** Labels of hosts that are more likely a key than a word: hexadecimal, a UUID, or very long. */
const KEY_LIKE_LABEL = /^(?:[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|.{40,})$/;

/** Host and port, without what may be a key. The rest of a URL may hold a credential. */
export function hostName(url: string): string {
  const { host } = new URL(url);
  return host
    .split('.')
    .map((label) => (KEY_LIKE_LABEL.test(label) ? 'key' : label))
    .join('.');
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** True for the addresses of this machine and for its name. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname) || hostname.endsWith('.localhost');
}

/** Equal for two ways to write one node: scheme, login, case, default port and final slashes do not count. */
export function nodeOf(url: string): string {
  const { search, pathname } = new URL(url);
  let end = pathname.length;
  while (pathname[end - 1] === '/') end -= 1;
  return `${hostOf(url)}${pathname.slice(0, end)}${search}`;
}

/** Host and port, in one form. Whoever answers there is one witness, whatever key it is asked with. */
export function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${isLoopback(hostname) ? 'localhost' : hostname.replace(/\.$/, '')}${port && `:${port}`}`;
}

/**
 * Names every address: by what the configuration gives it, else by its host. A host that is taken gets a
 * number, in the order of the list.
 */
export function nameAddresses(written: readonly WrittenAddress[]): NodeAddress[] {
  const taken = new Set(written.flatMap(({ name }) => (name === null ? [] : [name])));
  return written.map(({ name, ...address }) => ({
    ...address,
    name: name ?? unusedName(hostName(address.url), taken),
  }));
}

function unusedName(host: string, taken: Set<string>): string {
  let name = host;
  for (let number = 2; taken.has(name); number += 1) name = `${host}-${number}`;
  taken.add(name);
  return name;
}

/** An account that takes tips, and the name of its service where the configuration gives it. */
export interface WrittenTipAccount {
  readonly service: string | null;
  readonly address: string;
}
