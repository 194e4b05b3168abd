import { SYSTEM_PROGRAM } from '../../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { nonceAccountData } from '../intents/intent-transactions.ts';
import { atEnd } from '../run/cleanup.ts';

/** The effect of a transaction when it reaches the chain. */
export interface Fate {
  /** Blocks after its first delivery until it lands; null when the chain drops it every time. */
  landsAfterBlocks: number | null;
  /** It lands and fails. */
  fails: boolean;
}

/** A blockhash is valid for this many blocks. */
export const WINDOW_BLOCKS = 150;

/** The lifetime of a transaction. Nodes know a blockhash or a nonce from `knownFrom` on. */
export type ModelLifetime =
  | { kind: 'height' }
  | { kind: 'blockhash'; blockhash: string; knownFrom: bigint }
  | { kind: 'nonce'; nonceAccount: string; nonce: string; knownFrom: bigint };

interface ModelTransaction extends Fate {
  /** The last block before somebody else advances the nonce. */
  lastValidBlockHeight: bigint;
  lifetime: ModelLifetime;
  deliveredAt: bigint | null;
  landedAt: bigint | null;
}

export const BLOCK_MS = 400;
const FIRST_HEIGHT = 1_000n;
const OTHER_NONCE = encodeBase58(Buffer.alloc(32, 5));

/** A chain of heights and landed transactions. Its nodes may lie about it. */
export class ModelChain {
  height = FIRST_HEIGHT;
  readonly #startMs: number;
  /** Heights by blockhash. */
  readonly #heights = new Map<string, bigint>();
  readonly #transactions = new Map<string, ModelTransaction>();

  /** @param startMs the time of its first block */
  constructor(startMs = 0) {
    this.#startMs = startMs;
  }

  add(
    signature: string,
    lastValidBlockHeight: bigint,
    fate: Fate,
    lifetime: ModelLifetime = { kind: 'height' },
  ): void {
    const places = { deliveredAt: null, landedAt: null };
    this.#transactions.set(signature, { ...fate, lastValidBlockHeight, lifetime, ...places });
  }

  /** The chain's clock. */
  secondsAt(height: bigint): bigint {
    return BigInt(Math.floor((this.#startMs + Number(height - FIRST_HEIGHT) * BLOCK_MS) / 1_000));
  }

  /** The blockhash that a block gives. */
  blockhashOf(height: bigint): string {
    const hash = new Bun.CryptoHasher('sha256').update(`${this.#startMs} ${height}`).digest();
    const blockhash = encodeBase58(hash);
    this.#heights.set(blockhash, height);
    return blockhash;
  }

  /** The last block that takes a transaction with a blockhash of the chain. */
  lastValidOf(blockhash: string): bigint {
    const height = this.#heights.get(blockhash);
    if (height === undefined) throw new Error('no blockhash of this chain');
    return height + BigInt(WINDOW_BLOCKS);
  }

  isBlockhashValidAt(height: bigint, blockhash: string): boolean {
    const givenAt = this.#heights.get(blockhash);
    if (givenAt !== undefined) return givenAt <= height && height <= this.lastValidOf(blockhash);
    return [...this.#transactions.values()].some(
      ({ lifetime, lastValidBlockHeight }) =>
        lifetime.kind === 'blockhash' &&
        lifetime.blockhash === blockhash &&
        lifetime.knownFrom <= height &&
        height <= lastValidBlockHeight,
    );
  }

  /** The nonce in the account. It differs before the nonce is known and after it was advanced. */
  nonceAt(height: bigint, nonceAccount: string): string | null {
    for (const { lifetime, lastValidBlockHeight, landedAt } of this.#transactions.values()) {
      if (lifetime.kind !== 'nonce' || lifetime.nonceAccount !== nonceAccount) continue;
      const isOver = height > lastValidBlockHeight || (landedAt !== null && landedAt <= height);
      return lifetime.knownFrom <= height && !isOver ? lifetime.nonce : OTHER_NONCE;
    }
    return null;
  }

  deliver(signature: string): void {
    const transaction = this.#transactions.get(signature);
    if (transaction !== undefined) transaction.deliveredAt ??= this.height;
  }

  advance(blocks: number): void {
    this.height += BigInt(blocks);
    for (const transaction of this.#transactions.values()) {
      const { deliveredAt, landsAfterBlocks, lastValidBlockHeight } = transaction;
      if (deliveredAt === null || landsAfterBlocks === null) continue;
      const landsAt = deliveredAt + BigInt(landsAfterBlocks);
      if (landsAt <= this.height && landsAt <= lastValidBlockHeight) transaction.landedAt = landsAt;
    }
  }

  /** The state of a transaction, and whether it may still change. */
  truthOf(signature: string): 'succeeded' | 'failed' | 'absent' | 'open' {
    const {
      landedAt = null,
      fails = false,
      lastValidBlockHeight = 0n,
    } = this.#transactions.get(signature) ?? {};
    if (landedAt !== null) return fails ? 'failed' : 'succeeded';
    return this.height > lastValidBlockHeight ? 'absent' : 'open';
  }

  /** The status that an honest node at this height returns. */
  statusAt(height: bigint, signature: string): object | null {
    const { landedAt = null, fails = false } = this.#transactions.get(signature) ?? {};
    return landedAt === null || landedAt > height ? null : status('confirmed', fails);
  }

  isDelivered(signature: string): boolean {
    return (this.#transactions.get(signature)?.deliveredAt ?? null) !== null;
  }
}

function status(confirmationStatus: 'processed' | 'confirmed', fails: boolean): object {
  return {
    slot: 1,
    confirmations: 1,
    err: fails ? { InstructionError: [0, { Custom: 1 }] } : null,
    confirmationStatus,
  };
}

/** The present behaviour of a node. */
export interface NodeBehaviour {
  /** `breaks`: the node carries out sends but returns nothing usable. `down`: nobody can reach it. */
  reach: 'up' | 'breaks' | 'down';
  /** `another`: the signature of another transaction. The chain gets the bytes unless `drops`. */
  sends: 'right' | 'empty' | 'null' | 'missing' | 'text' | 'another' | 'refuses';
  drops: boolean;
  lagBlocks: number;
  /** The node adds this to the heights and slots that it reports. */
  heightLie: bigint;
  /** The node adds this to the end of a blockhash's window. */
  windowLie: bigint;
  /** `fork`: delivered transactions are processed at first and disappear later. */
  statuses: 'true' | 'none' | 'failed' | 'fork';
  /** Its reports about blockhashes and nonces. */
  lifetimes: 'true' | 'over' | 'open';
}

export const honest: NodeBehaviour = {
  reach: 'up',
  sends: 'right',
  drops: false,
  lagBlocks: 0,
  heightLie: 0n,
  windowLie: 0n,
  statuses: 'true',
  lifetimes: 'true',
};

export interface ModelNode {
  readonly url: string;
  behaviour: NodeBehaviour;
}

/** Slots run ahead of heights by this many. */
const SKIPPED_SLOTS = 50n;

/** A JSON-RPC server over the model chain. */
export function startModelNode(chainOf: () => ModelChain): ModelNode {
  const node = { url: '', behaviour: honest };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== 'POST') return new Response('only POST', { status: 405 });
      const { id, method, params } = (await request.json()) as {
        id: number;
        method: string;
        params: unknown[];
      };
      const { reach } = node.behaviour;
      if (reach === 'down') return new Response('', { status: 503 });
      const answer = answerTo(method, params, chainOf(), node.behaviour);
      if (reach === 'breaks') return new Response('', { status: 504 });
      // Numbers beyond 2^53 have to stay exact.
      return new Response(`{"jsonrpc":"2.0","id":${id}${answer}}`, {
        headers: { 'content-type': 'application/json' },
      });
    },
  });
  atEnd(() => server.stop(true));
  return Object.assign(node, { url: `http://127.0.0.1:${server.port}` });
}

function answerTo(method: string, params: unknown[], chain: ModelChain, behaviour: NodeBehaviour): string {
  const seen = chain.height - BigInt(behaviour.lagBlocks);
  const told = seen + behaviour.heightLie;
  if (method === 'getEpochInfo')
    return `,"result":{"absoluteSlot":${told + SKIPPED_SLOTS},"blockHeight":${told},"epoch":0,"slotIndex":0,"slotsInEpoch":432000,"transactionCount":null}`;
  if (method === 'getLatestBlockhash') {
    const lastValid = told + BigInt(WINDOW_BLOCKS) + behaviour.windowLie;
    return `,"result":{"context":{"slot":${told + SKIPPED_SLOTS}},"value":{"blockhash":"${chain.blockhashOf(seen)}","lastValidBlockHeight":${lastValid}}}`;
  }
  if (method === 'getRecentPerformanceSamples') return ',"result":[]';
  if (method === 'sendTransaction') return answerSend(String(params[0]), chain, behaviour);
  if (method === 'getGenesisHash') return ',"result":"11111111111111111111111111111111"';
  if (method === 'getMultipleAccounts') {
    const value = (params[0] as string[]).map((address) => accountTold(address, seen, chain, behaviour));
    return `,"result":{"context":{"slot":${told + SKIPPED_SLOTS}},"value":${JSON.stringify(value)}}`;
  }
  if (method === 'isBlockhashValid') {
    const { lifetimes } = behaviour;
    const truth = chain.isBlockhashValidAt(seen, String(params[0]));
    const value = lifetimes === 'true' ? truth : lifetimes === 'open';
    return `,"result":{"context":{"slot":${told + SKIPPED_SLOTS}},"value":${value}}`;
  }
  const signatures = params[0] as string[];
  const value = signatures.map((signature) => statusTold(signature, seen, chain, behaviour));
  return `,"result":{"context":{"slot":${told + SKIPPED_SLOTS}},"value":${JSON.stringify(value)}}`;
}

function answerSend(wire: string, chain: ModelChain, { sends, drops }: NodeBehaviour): string {
  const signature = encodeBase58(Buffer.from(wire, 'base64').subarray(1, 65));
  if (!drops) chain.deliver(signature);
  switch (sends) {
    case 'right':
      return `,"result":"${signature}"`;
    case 'another':
      return `,"result":"${encodeBase58(Buffer.alloc(64, 7))}"`;
    case 'empty':
      return ',"result":{}';
    case 'null':
      return ',"result":null';
    case 'text':
      return ',"result":"sent"';
    case 'refuses':
      return ',"error":{"code":-32003,"message":"Transaction signature verification failure"}';
    case 'missing':
      return '';
  }
}

function statusTold(signature: string, seen: bigint, chain: ModelChain, { statuses }: NodeBehaviour) {
  const truth = chain.statusAt(seen, signature);
  if (statuses === 'none') return null;
  if (statuses === 'failed') return status('confirmed', true);
  if (statuses === 'fork' && truth === null && chain.isDelivered(signature))
    return status('processed', false);
  return truth;
}

/** The clock, or a nonce account. */
function accountTold(address: string, seen: bigint, chain: ModelChain, { lifetimes }: NodeBehaviour) {
  const held = chain.nonceAt(seen, address);
  const nonce = lifetimes === 'over' ? OTHER_NONCE : held;
  if (held !== null && nonce !== null) return account(SYSTEM_PROGRAM, nonceAccountData(nonce));
  const clock = Buffer.alloc(40);
  clock.writeBigInt64LE(chain.secondsAt(seen), 32);
  return account('Sysvar1111111111111111111111111111111111111', clock);
}

function account(owner: string, data: Buffer): object {
  const size = { space: data.byteLength, rentEpoch: 0 };
  return { lamports: 1, owner, executable: false, data: [data.toString('base64'), 'base64'], ...size };
}
