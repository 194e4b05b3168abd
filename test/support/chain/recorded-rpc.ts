import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import type { RecordedTransaction } from '../pools/curve-fixtures.ts';

/** The faults of one recorded node; `{}` is a healthy node. */
export interface RecordedFaults {
  /** The number of newest transactions that have not reached it. */
  lagging?: number;
  /** The number of oldest transactions that its history has lost. */
  pruned?: number;
  /** Every request is answered 429 with this Retry-After. */
  rateLimitSeconds?: number;
  /** getTransaction does not know these signatures, although the node lists them. */
  missing?: ReadonlySet<string>;
  /** Every request is answered 500. */
  broken?: boolean;
  /** Several machines share the address. This one lists, and another one with the whole chain reports the
   * slot. */
  balanced?: boolean;
  /** Every response waits for this. */
  until?: Promise<unknown>;
  /** The node knows no block times. */
  isTimeless?: boolean;
}

export interface RecordedNode {
  readonly url: string;
  faults: RecordedFaults;
  /** Answered requests by method. */
  readonly requests: { [method: string]: number };
  stop(): Promise<void>;
}

interface Range {
  before?: string;
  until?: string;
  limit?: number;
  minContextSlot?: number;
}

/** An artificial chain of recorded transactions in the order of their slots, served by any number of
 * nodes. */
export class RecordedChain {
  readonly #transactions: RecordedTransaction[] = [];
  #accounts: ReadonlyMap<string, ChainAccount> | null = null;
  #accountsAreNew = false;

  /** Its nodes know only these accounts from now on, as of slot 1 or (`areNew`) of a node's newest slot. */
  setAccounts(accounts: ReadonlyMap<string, ChainAccount>, { areNew = false } = {}): void {
    this.#accounts = accounts;
    this.#accountsAreNew = areNew;
  }
  /** The number of blocks after the last transaction. */
  emptySlots = 0;
  /** True makes its nodes report the whole chain as final. */
  tellsFinality = false;
  readonly #rolledBack = new Set<number>();

  /** Takes the block of a transaction off the chain; the transaction lands again at another slot, or never. */
  rollBack(signature: string, landsAgainAt: number | null): void {
    const at = this.#transactions.findIndex(({ transaction }) => transaction.signatures[0] === signature);
    const [found] = this.#transactions.splice(at, 1);
    if (at === -1 || found === undefined) throw new Error(`the chain has no transaction ${signature}`);
    this.#rolledBack.add(found.slot);
    if (landsAgainAt !== null) this.add({ ...found, slot: landsAgainAt });
  }

  /** Adds transactions at the end of the chain. */
  add(...transactions: RecordedTransaction[]): void {
    this.#transactions.push(...transactions);
    this.#transactions.sort((left, right) => left.slot - right.slot);
  }

  /** Starts a JSON-RPC server on a free port, with the methods that read a history. */
  startNode(faults: RecordedFaults = {}): RecordedNode {
    const requests: { [method: string]: number } = {};
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      // A request that is held may be silent for longer than Bun's 10 s.
      idleTimeout: 0,
      fetch: async (request) => {
        // The node has no subscriptions, so clients must poll.
        if (request.method !== 'POST') return new Response('only POST', { status: 405 });
        const { id, method, params } = (await request.json()) as {
          id: unknown;
          method: string;
          params: unknown[];
        };
        requests[method] = (requests[method] ?? 0) + 1;
        await node.faults.until;
        if (node.faults.broken === true) return new Response('broken', { status: 500 });
        if (node.faults.rateLimitSeconds !== undefined) {
          const headers = { 'retry-after': String(node.faults.rateLimitSeconds) };
          return new Response('slow down', { status: 429, headers });
        }
        return Response.json({ jsonrpc: '2.0', id, ...this.#answer(node.faults, method, params) });
      },
    });
    const node: RecordedNode = {
      url: `http://127.0.0.1:${server.port}`,
      faults,
      requests,
      stop: () => server.stop(true),
    };
    return node;
  }

  /** The newest block, with its time in seconds: one a slot. */
  get head(): { slot: number; blockTime: number } {
    const slot = this.#headOf(this.#transactions);
    return { slot, blockTime: this.#timeOf(slot) };
  }

  #headOf(known: readonly RecordedTransaction[]): number {
    return (known.at(-1)?.slot ?? 0) + this.emptySlots;
  }

  #timeOf(slot: number): number {
    const last = this.#transactions.findLast((one) => one.slot <= slot);
    return last === undefined ? 0 : Number(last.blockTime ?? 0) + (slot - last.slot);
  }

  #answer(faults: RecordedFaults, method: string, params: unknown[]): object {
    const known = this.#transactions.slice(
      faults.pruned ?? 0,
      this.#transactions.length - (faults.lagging ?? 0),
    );
    const key = String(params[0]);
    const ownHead = this.#headOf(known);
    if (method === 'getEpochInfo') {
      const absoluteSlot = faults.balanced === true ? this.head.slot : ownHead;
      return { result: { absoluteSlot, blockHeight: absoluteSlot } };
    }
    if (method === 'getBlockTime')
      return { result: faults.isTimeless === true ? null : this.#timeOf(Number(params[0])) };
    if (method === 'getSignaturesForAddress') {
      const range = params[1] as Range;
      if ((range.minContextSlot ?? 0) > ownHead)
        return { error: { code: -32016, message: 'Minimum context slot has not been reached' } };
      return { result: list(known, key, range) };
    }
    if (method === 'getMultipleAccounts' && this.#accounts !== null)
      return {
        result: tellAccounts(this.#accounts, params[0] as string[], this.#accountsAreNew ? ownHead : 1),
      };
    if (this.tellsFinality) {
      const final = this.#tellFinal(known, this.head.slot, method, params);
      if (final !== null) return { result: final };
    }
    if (method !== 'getTransaction') return { error: { code: -32601, message: 'Method not found' } };
    if (!isReadable(params[1]))
      return { error: { code: -32015, message: 'Transaction version not supported' } };
    const found = known.find(({ transaction }) => transaction.signatures[0] === key);
    return { result: faults.missing?.has(key) === true ? null : (found ?? null) };
  }

  #tellFinal(
    known: readonly RecordedTransaction[],
    head: number,
    method: string,
    params: unknown[],
  ): unknown {
    if (method === 'getSlot') return head;
    if (method === 'getBlocks') {
      const [first, last] = params.map(Number) as [number, number];
      const slots = Array.from({ length: Math.min(last, head) - first + 1 }, (_, at) => first + at);
      return slots.filter((slot) => !this.#rolledBack.has(slot));
    }
    if (method !== 'getSignatureStatuses') return null;
    const value = (params[0] as string[]).map((signature) => {
      const found = known.find(({ transaction }) => transaction.signatures[0] === signature);
      if (found === undefined) return null;
      const { slot, meta } = found;
      return {
        slot,
        confirmations: null,
        err: meta.err,
        status: { Ok: null },
        confirmationStatus: 'finalized',
      };
    });
    return { context: { slot: head }, value };
  }
}

function tellAccounts(
  accounts: ReadonlyMap<string, ChainAccount>,
  addresses: readonly string[],
  slot: number,
) {
  const value = addresses.map((address) => {
    const account = accounts.get(address);
    if (account === undefined) return null;
    const data = [Buffer.from(account.data).toString('base64'), 'base64'];
    return {
      owner: account.owner,
      data,
      lamports: 1,
      executable: false,
      rentEpoch: 0,
      space: account.data.length,
    };
  });
  return { context: { slot }, value };
}

function isReadable(config: unknown): boolean {
  return (config as { maxSupportedTransactionVersion?: number }).maxSupportedTransactionVersion === 1;
}

/** Lists like a node: an unknown `before` lists nothing, an unknown `until` lists to the beginning. */
function list(known: RecordedTransaction[], address: string, { before, until, limit = 1_000 }: Range) {
  const newestFirst = known.filter((one) => namesAddress(one, address)).reverse();
  const signatures = newestFirst.map(({ transaction }) => transaction.signatures[0] ?? '');
  const start = before === undefined ? 0 : signatures.indexOf(before) + 1;
  if (before !== undefined && start === 0) return [];
  const end = until === undefined ? -1 : signatures.indexOf(until);
  return newestFirst
    .slice(start, end === -1 ? undefined : end)
    .slice(0, limit)
    .map(({ transaction, slot, meta, blockTime }) => ({
      signature: transaction.signatures[0],
      slot,
      err: meta.err,
      memo: null,
      blockTime,
      confirmationStatus: 'finalized',
    }));
}

function namesAddress({ transaction, meta }: RecordedTransaction, address: string): boolean {
  const { writable, readonly } = meta.loadedAddresses;
  return [...transaction.message.accountKeys, ...writable, ...readonly].includes(address);
}
