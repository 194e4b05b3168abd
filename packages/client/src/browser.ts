/** The parts of a global object that say where a program runs. */
interface Scope {
  document?: unknown;
  WorkerGlobalScope?: unknown;
  location?: unknown;
  process?: { versions?: { node?: unknown }; type?: unknown };
  navigator?: { userAgent?: unknown };
}

/**
 * Whether the program is a page or a worker of a browser. Its global object alone does not say so: jsdom gives Node a
 * document, and servers of Cloudflare have the global object of a worker, but no address.
 */
export function isInBrowser(scope: Scope = globalThis as Scope): boolean {
  const { document, WorkerGlobalScope, location } = scope;
  const looksSo = document !== undefined || (WorkerGlobalScope !== undefined && location !== undefined);
  return looksSo && !isServer(scope);
}

/** Node, Bun and Deno name the version of Node that they offer; what bundlers put in its place for a page does not. */
function isServer({ process, navigator }: Scope): boolean {
  // A window of Electron has both.
  const isNode = typeof process?.versions?.node === 'string' && process.type !== 'renderer';
  return isNode || navigator?.userAgent === 'Cloudflare-Workers';
}
