import { Keypair } from '@solana/web3.js';
import { migrationProgress, readVirtualPool } from '../../src/chain/accounts/virtual-pool.ts';
import type { SolanaRpc } from '../solana-rpc.ts';
import type { Sender } from './landing.ts';
import type { BookToken, MarketBook } from './market-state.ts';
import { migrationInstructions } from './transactions.ts';

/** So long a completed curve can be looked at. */
const PAUSE_MS = 5_000;

/** Migrates curves that are complete, as keepers do on a cluster. */
export class MigrationKeeper {
  readonly #book: MarketBook;
  readonly #rpc: SolanaRpc;
  readonly #sender: Sender;
  readonly #migrated = new Set<BookToken>();
  readonly #completeSinceMs = new Map<BookToken, number>();

  constructor(book: MarketBook, rpc: SolanaRpc, sender: Sender) {
    this.#book = book;
    this.#rpc = rpc;
    this.#sender = sender;
  }

  hasMigrated(token: BookToken): boolean {
    return this.#migrated.has(token);
  }

  /** After an interruption the chain may be behind what is known. */
  forget(): void {
    this.#migrated.clear();
    this.#completeSinceMs.clear();
  }

  /** Looks at every curve, and migrates those that have been complete for a while. Returns the migrated ones. */
  async step(): Promise<BookToken[]> {
    const open = this.#book.tokens.filter((token) => !this.#migrated.has(token));
    if (open.length === 0) return [];
    const { accounts } = await this.#rpc.accounts(open.map((token) => this.#book.addressesOf(token).pool));
    const migrated: BookToken[] = [];
    for (const [at, token] of open.entries()) {
      const progress = readVirtualPool(accounts[at] ?? null)?.migrationProgress;
      if (progress === migrationProgress.migrated) this.#migrated.add(token);
      else if (progress === migrationProgress.vestingLocked && this.#isDue(token)) {
        await this.#migrate(token);
        migrated.push(token);
      }
    }
    return migrated;
  }

  #isDue(token: BookToken): boolean {
    const nowMs = performance.now();
    const sinceMs = this.#completeSinceMs.get(token) ?? nowMs;
    this.#completeSinceMs.set(token, sinceMs);
    return nowMs - sinceMs >= PAUSE_MS;
  }

  /** One that does not land is tried again after the same pause. */
  async #migrate(token: BookToken): Promise<void> {
    this.#completeSinceMs.delete(token);
    const keeper = this.#book.fees;
    const [first, second] = [Keypair.generate(), Keypair.generate()] as const;
    const positions = [first.publicKey.toBase58(), second.publicKey.toBase58()] as const;
    const addresses = this.#book.addressesOf(token);
    const instructions = migrationInstructions(addresses, keeper.publicKey.toBase58(), positions);
    await this.#sender.sendChecked(instructions, [keeper, first, second]);
  }
}
