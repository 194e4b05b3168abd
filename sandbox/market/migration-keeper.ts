import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { migrationProgress, readVirtualPool } from '../../src/chain/accounts/virtual-pool.ts';
import type { SolanaRpc } from '../shared/solana-rpc.ts';
import type { Sender } from './landing.ts';
import type { MarketState, MarketToken } from './market-state.ts';
import { migrationInstructions } from './transactions.ts';

/** The pause between the completion of a curve and its migration. */
const PAUSE_MS = 5_000;

/** Mints of the position NFTs of a migration, the same at every start. */
export function positionMints({ mint }: MarketToken): readonly [Keypair, Keypair] {
  const made = (name: string) =>
    Keypair.fromSeed(createHash('sha256').update(mint.secretKey).update(name).digest());
  return [made('first position'), made('second position')];
}

/** Migrates curves that are complete, as keepers do on a cluster. */
export class MigrationKeeper {
  readonly #state: MarketState;
  readonly #rpc: SolanaRpc;
  readonly #sender: Sender;
  readonly #migrated = new Set<MarketToken>();
  readonly #completeSinceMs = new Map<MarketToken, number>();

  constructor(state: MarketState, rpc: SolanaRpc, sender: Sender) {
    this.#state = state;
    this.#rpc = rpc;
    this.#sender = sender;
  }

  hasMigrated(token: MarketToken): boolean {
    return this.#migrated.has(token);
  }

  /** After an interruption the chain may have gone back. */
  forget(): void {
    this.#migrated.clear();
    this.#completeSinceMs.clear();
  }

  /** Migrates the curves that have been complete for a while. Returns the migrated tokens. */
  async step(): Promise<MarketToken[]> {
    const open = this.#state.tokens.filter((token) => !this.#migrated.has(token));
    if (open.length === 0) return [];
    const { accounts } = await this.#rpc.accounts(open.map((token) => this.#state.addressesOf(token).pool));
    const migrated: MarketToken[] = [];
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

  #isDue(token: MarketToken): boolean {
    const nowMs = performance.now();
    const sinceMs = this.#completeSinceMs.get(token) ?? nowMs;
    this.#completeSinceMs.set(token, sinceMs);
    return nowMs - sinceMs >= PAUSE_MS;
  }

  /** A migration that does not land is tried again after the same pause. */
  async #migrate(token: MarketToken): Promise<void> {
    this.#completeSinceMs.delete(token);
    const keeper = this.#state.fees;
    const [first, second] = positionMints(token);
    const positions = [first.publicKey.toBase58(), second.publicKey.toBase58()] as const;
    const addresses = this.#state.addressesOf(token);
    const instructions = migrationInstructions(addresses, keeper.publicKey.toBase58(), positions);
    await this.#sender.sendChecked(instructions, [keeper, first, second]);
  }
}
