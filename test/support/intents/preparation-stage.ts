import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import { type ChainRpc, createChainRpcs } from '../../../src/chain/rpc.ts';
import type { Database } from '../../../src/db/client.ts';
import { type CheckedPreparation, checkPreparation } from '../../../src/intents/prepare/check-preparation.ts';
import { openPolicy, type Preparation } from '../../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../../src/intents/prepare/prepare-intent.ts';
import type { IntentRow } from '../../../src/intents/row.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { openDatabase } from '../processes/worker-context.ts';
import { atEnd } from '../run/cleanup.ts';
import { unsignedTransfer } from './intent-transactions.ts';
import { preparing } from './intents.ts';
import { fundedWallet, insertAccount } from './submitted-intent.ts';

/** A chain whose slots only the test moves, a funded wallet, and the preparation of its intents. */
export class PreparationStage {
  readonly chain: SandboxChain;
  readonly db: Database;
  readonly wallet: Keypair;
  readonly accountId: string;

  constructor(chain: SandboxChain, db: Database, wallet: Keypair, accountId: string) {
    this.chain = chain;
    this.db = db;
    this.wallet = wallet;
    this.accountId = accountId;
  }

  static async start(): Promise<PreparationStage> {
    const chain = await startChain({ slotMs: 'manual' });
    atEnd(() => chain.stop());
    const db = await openDatabase();
    return new PreparationStage(chain, db, await fundedWallet(chain.rpcUrl), await insertAccount(db));
  }

  blockhash(): string {
    return this.chain.ledger.ring.hashOf(this.chain.ledger.slot);
  }

  /** A transfer of the wallet, with changes. */
  preparation(changes: Partial<Preparation> = {}): Preparation {
    return {
      accountId: this.accountId,
      kind: 'token_transfer',
      expectedSigner: this.wallet.publicKey.toBase58(),
      transaction: unsignedTransfer(this.wallet.publicKey, { blockhash: this.blockhash() }),
      policy: openPolicy,
      lastValidBlockHeight: null,
      expiresInMs: 60_000,
      ...changes,
    };
  }

  /** @param rpcUrls of nodes that this process knows nothing about yet. */
  async prepare(changes: Partial<Preparation> = {}, rpcUrls: readonly string[] = []): Promise<IntentRow> {
    const checked = await this.check(changes, createChainRpcs(rpcUrls));
    return this.db.begin((sql) => prepareIntent(sql, checked, preparing));
  }

  check(changes: Partial<Preparation>, rpcs: readonly ChainRpc[]): Promise<CheckedPreparation> {
    return checkPreparation(this.preparation(changes), rpcs, systemClock);
  }
}

/** An address that nobody has used. */
export function freshAddress(): string {
  return Keypair.generate().publicKey.toBase58();
}
