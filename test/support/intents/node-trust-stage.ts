import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { Logger } from 'pino';
import { type ChainHead, type ChainHeadSource, createChainHead } from '../../../src/chain/head.ts';
import { believedPosition } from '../../../src/chain/node-trust/believed-position.ts';
import { type ChainRpc, createChainRpc } from '../../../src/chain/rpc.ts';
import type { Database } from '../../../src/db/client.ts';
import { confirmSubmitted } from '../../../src/intents/confirm/confirm-submitted.ts';
import { expireIntents } from '../../../src/intents/end/expire-intents.ts';
import { broadcastDue } from '../../../src/intents/send/broadcast-due.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import {
  BLOCK_MS,
  type Fate,
  honest,
  ModelChain,
  type NodeBehaviour,
  startModelNode,
  WINDOW_BLOCKS,
} from '../chain/model-chain.ts';
import { emptyTables } from '../database/empty-tables.ts';
import { intentContext, openDatabase, silentLog } from '../processes/worker-context.ts';
import { createTestClock, type TestClock } from '../run/clock.ts';
import { nonceTransfer, unsignedTransfer } from './intent-transactions.ts';
import { insertAccount, insertIntent } from './submitted-intent.ts';

export const UNTIMED_EXPIRY_MS = 20_000;

export interface StoredIntent {
  id: string;
  signature: string;
  lastValid: bigint;
}

export interface IntentEnd {
  status: string;
  errorCode: string | null;
}

/** The worker's loops that may end an intent, a model chain, and three nodes that may lie about it. */
export class NodeTrustStage {
  readonly db: Database;
  readonly clock: TestClock = createTestClock();
  chain = new ModelChain(this.clock.now().getTime());
  readonly nodes = [1, 2, 3].map(() => startModelNode(() => this.chain));
  readonly accountId: string;
  readonly wallet = Keypair.generate().publicKey;
  readonly #worker: ReturnType<typeof intentContext>['context'];

  constructor(db: Database, accountId: string) {
    this.db = db;
    this.accountId = accountId;
    this.#worker = intentContext(db, [], this.clock).context;
  }

  static async create(): Promise<NodeTrustStage> {
    const db = await openDatabase();
    return new NodeTrustStage(db, await insertAccount(db));
  }

  /** A new chain, with nodes that this process knows nothing about yet. */
  async begin(nodeCount: number): Promise<ChainRpc[]> {
    await emptyTables(this.db, 'intent_broadcasts', 'transaction_intents', 'webhook_deliveries', 'events');
    this.chain = new ModelChain(this.clock.now().getTime());
    for (const node of this.nodes) node.behaviour = honest;
    return this.nodes.slice(0, nodeCount).map(({ url }) => createChainRpc(url));
  }

  /** Sets the behaviour of the node with this number; it is honest in everything else. */
  setBehaviour(nodeNumber: 0 | 1 | 2, behaviour: Partial<NodeBehaviour>): void {
    const node = this.nodes[nodeNumber];
    if (node === undefined) throw new Error('no such node');
    node.behaviour = { ...honest, ...behaviour };
  }

  async insert(status: 'prepared' | 'submitted', lifetimeBlocks = WINDOW_BLOCKS): Promise<StoredIntent> {
    const transaction = unsignedTransfer(this.wallet);
    // These tests verify no signatures.
    transaction.set(randomBytes(64), 1);
    const lastValid = this.chain.height + BigInt(lifetimeBlocks);
    const id = await insertIntent(this.db, this.accountId, {
      status,
      transaction,
      lastValidBlockHeight: lastValid,
      expiresAt: new Date(this.clock.now().getTime() + 3_600_000),
      now: this.clock.now(),
    });
    return { id, signature: encodeBase58(transaction.subarray(1, 65)), lastValid };
  }

  /** Inserts a submitted intent without a height. It uses a blockhash, or a nonce that ends after
   * `lifetimeBlocks`. */
  async insertUntimed(
    kind: 'blockhash' | 'nonce',
    lifetimeBlocks: number,
    fate: Fate,
  ): Promise<StoredIntent> {
    const key = () => encodeBase58(randomBytes(32));
    const [blockhash, nonceAccount, knownFrom] = [key(), key(), this.chain.height];
    const transaction =
      kind === 'nonce'
        ? nonceTransfer(this.wallet, nonceAccount, blockhash)
        : unsignedTransfer(this.wallet, { blockhash });
    transaction.set(randomBytes(64), 1);
    const signature = encodeBase58(transaction.subarray(1, 65));
    const lastValid = this.chain.height + BigInt(lifetimeBlocks);
    this.chain.add(
      signature,
      lastValid,
      fate,
      kind === 'nonce' ? { kind, nonceAccount, nonce: blockhash, knownFrom } : { kind, blockhash, knownFrom },
    );
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + UNTIMED_EXPIRY_MS);
    const facts = { transaction, lastValidBlockHeight: null, expiresAt, now };
    return { id: await insertIntent(this.db, this.accountId, facts), signature, lastValid };
  }

  /** Runs every loop of the worker that may end an intent once. */
  async turn(rpcs: readonly ChainRpc[]): Promise<void> {
    const context = { ...this.#worker, rpcs };
    await (await broadcastDue(context, 64)).sent;
    await confirmSubmitted(context);
    await expireIntents(context, this.believedHead(rpcs)?.blockHeight ?? null, 64);
  }

  /** The highest position that the chain head believes. */
  believedHead(rpcs: readonly ChainRpc[]): ChainHead | null {
    const now = this.clock.now();
    const heads = rpcs.flatMap((rpc) => {
      const latest = rpc.quarantine.isActive ? null : rpc.positions.latest(now);
      const believed = latest && believedPosition(rpc, latest, rpcs, now);
      return believed === null ? [] : [{ ...believed, observedAt: now }];
    });
    return heads.sort((one, other) => Number(other.blockHeight - one.blockHeight))[0] ?? null;
  }

  advance(blocks: number): void {
    this.chain.advance(blocks);
    this.clock.advance(blocks * BLOCK_MS);
  }

  async endOf(id: string): Promise<IntentEnd> {
    const [row] = await this.db<IntentEnd[]>`
      select status, error_code from transaction_intents where id = ${id}`;
    if (row === undefined) throw new Error('no such intent');
    return row;
  }

  /** Runs work with the chain head of a process. */
  async withHead<Value>(
    rpcs: readonly ChainRpc[],
    use: (head: ChainHeadSource) => Promise<Value>,
    log: Logger = silentLog,
  ): Promise<Value> {
    const head = createChainHead(rpcs, this.clock, log);
    const stop = new AbortController();
    const running = head.run(stop.signal);
    try {
      return await use(head);
    } finally {
      stop.abort();
      await running;
    }
  }
}
