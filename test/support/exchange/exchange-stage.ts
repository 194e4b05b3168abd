import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { Ledger } from '../../../sandbox/chain/ledger.ts';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import type { StoredAccount } from '../../../sandbox/chain/vm.ts';
import { type CurveKind, curveKinds, curvePlans } from '../../../sandbox/market/curve-kinds.ts';
import {
  type LaunchAddresses,
  launchAddresses,
  tokenAccountOf,
} from '../../../sandbox/market/launch-addresses.ts';
import { createConfig, createPool } from '../../../sandbox/market/pool-instructions.ts';
import { migrationInstructions } from '../../../sandbox/market/transactions.ts';
import { SPL_TOKEN } from '../../../src/chain/accounts/programs.ts';
import { readCurveConfig } from '../../../src/chain/pools/curve/config-account.ts';
import { curveTerms } from '../../../src/chain/pools/curve/curve-terms.ts';
import type { PoolClock } from '../../../src/chain/pools/swap-request.ts';
import { NATIVE_MINT, tokenAccount, tokenAmount } from '../token-account-data.ts';
import type { ModelPool, SwapAccounts } from './exchange-model.ts';
import { createTables, type Landed, type LookupTables, landVersioned } from './lookup-tables.ts';

export const TRADER_LAMPORTS = 1_000_000_000_000n;
const WRAPPED_LAMPORTS = 100_000_000_000n;
const COMPUTE_UNITS = 1_400_000;
/** Any time: fee schedules count from the launch. */
const BEGIN_MS = Date.UTC(2026, 0, 1);

/** Derives keys from numbers, so that runs are repeatable. */
function keyOf(group: number, index: number): Keypair {
  const seed = new Uint8Array(32);
  seed.set([group, index & 255, index >> 8]);
  return Keypair.fromSeed(seed);
}

export interface Trader {
  keypair: Keypair;
  quote: string;
  /** By market. */
  base: string[];
}

/** A chain with launched tokens and funded wallets. Everything except the wallets is created by
 * transactions. */
export class ExchangeStage {
  readonly chain: SandboxChain;
  readonly markets: readonly LaunchAddresses[];
  readonly traders: readonly Trader[];
  readonly referrer: Trader;
  #tables: LookupTables | null = null;
  readonly #keeper: Keypair;
  #sent = 0;

  constructor(chain: SandboxChain, kinds: readonly CurveKind[], traders: number) {
    this.chain = chain;
    this.markets = kinds.map((kind, market) => {
      const config = keyOf(0, curveKinds.indexOf(kind)).publicKey.toBase58();
      return launchAddresses(keyOf(1, market).publicKey.toBase58(), config, curvePlans[kind]);
    });
    this.#keeper = keyOf(2, 0);
    this.#fund(this.#keeper);
    this.referrer = this.#openTrader(keyOf(3, 0));
    this.traders = Array.from({ length: traders }, (_, index) => this.#openTrader(keyOf(4, index)));
  }

  static async open(kinds: readonly CurveKind[], traders: number): Promise<ExchangeStage> {
    const chain = await startChain({ slotMs: 'manual', nowMs: () => BEGIN_MS });
    const stage = new ExchangeStage(chain, kinds, traders);
    stage.#launch(kinds);
    stage.#tables = createTables(chain.ledger, stage.#keeper, stage.#sharedAddresses());
    return stage;
  }

  get ledger(): Ledger {
    return this.chain.ledger;
  }

  get clock(): PoolClock {
    const { ledger } = this;
    return {
      slot: ledger.slot,
      unixSeconds: BigInt(Math.floor(ledger.clock.unixMsOf(ledger.slot) / 1000)),
    };
  }

  /** The accounts of a trader in a market. */
  accountsOf(trader: Trader, market: number): SwapAccounts {
    const base = (of: Trader) => of.base[market] ?? '';
    const { referrer } = this;
    return {
      base: base(trader),
      quote: trader.quote,
      referral: { base: base(referrer), quote: referrer.quote },
    };
  }

  /** The current curve of a market on the chain, or its AMM pool after the migration. */
  pool(market: number, venue: ModelPool['venue'] = 'dbc'): ModelPool {
    const { config, pool, baseVault, quoteVault, amm } = this.#addressesOf(market);
    const vaults = venue === 'dbc' ? { baseVault, quoteVault } : amm;
    const address = venue === 'dbc' ? pool : amm.pool;
    const account = this.ledger.vm.getAccount(address);
    const settings = readCurveConfig(this.ledger.vm.getAccount(config));
    if (account === null || settings === null) throw new Error(`market ${market} has no ${venue} pool`);
    return {
      venue,
      address,
      baseVault: vaults.baseVault,
      quoteVault: vaults.quoteVault,
      terms: venue === 'dbc' ? curveTerms(settings) : null,
      account,
    };
  }

  /** Lands instructions of a trader, as a message with lookup tables. */
  land(
    trader: Keypair,
    instructions: readonly TransactionInstruction[],
    ...others: readonly Keypair[]
  ): Landed {
    // The limit makes equal transactions of one slot different.
    this.#sent += 1;
    const units = COMPUTE_UNITS - (this.#sent % 100_000);
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units });
    return landVersioned(
      this.ledger,
      [trader, ...others],
      [limit, ...instructions],
      this.#tables?.accounts ?? [],
    );
  }

  migrate(market: number): void {
    const nfts = [keyOf(5, market), keyOf(6, market)] as const;
    const positions = [nfts[0].publicKey.toBase58(), nfts[1].publicKey.toBase58()] as const;
    const keeper = this.#keeper.publicKey.toBase58();
    const [, migration] = migrationInstructions(this.#addressesOf(market), keeper, positions);
    if (migration === undefined) throw new Error('a migration has no instruction');
    this.#mustLand([migration], this.#keeper, ...nfts);
  }

  amount(account: string): bigint {
    return tokenAmount(this.ledger.vm.getAccount(account));
  }

  #addressesOf(market: number): LaunchAddresses {
    const addresses = this.markets[market];
    if (addresses === undefined) throw new Error(`there is no market ${market}`);
    return addresses;
  }

  #launch(kinds: readonly CurveKind[]): void {
    const partner = this.#keeper.publicKey.toBase58();
    for (const kind of new Set(kinds)) {
      const key = keyOf(0, curveKinds.indexOf(kind));
      const config = key.publicKey.toBase58();
      this.#mustLand([createConfig(curvePlans[kind], { config, partner })], this.#keeper, key);
    }
    for (const [market, addresses] of this.markets.entries()) {
      const texts = { name: `Token ${market}`, symbol: 'TOK', uri: 'https://example.org/token.json' };
      this.#mustLand([createPool(addresses, partner, texts)], this.#keeper, keyOf(1, market));
    }
  }

  #mustLand(
    instructions: readonly TransactionInstruction[],
    ...signers: readonly [Keypair, ...Keypair[]]
  ): void {
    const [first, ...others] = signers;
    const { err } = this.land(first, instructions, ...others);
    if (err !== null) throw new Error(`failed: ${JSON.stringify(err)}`);
  }

  #sharedAddresses(): PublicKey[] {
    const own = [this.referrer.quote, ...this.referrer.base];
    const shared = this.markets.flatMap(
      ({ mint, tokenProgram, config, pool, baseVault, quoteVault, amm }) => [
        mint,
        tokenProgram,
        config,
        pool,
        baseVault,
        quoteVault,
        amm.config,
        amm.pool,
        amm.baseVault,
        amm.quoteVault,
      ],
    );
    return [...new Set([...own, ...shared, NATIVE_MINT, SPL_TOKEN])].map((address) => new PublicKey(address));
  }

  #fund({ publicKey }: Keypair): void {
    const account: StoredAccount = {
      lamports: TRADER_LAMPORTS,
      owner: SystemProgram.programId.toBase58(),
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    };
    this.ledger.setAccount(publicKey.toBase58(), account);
  }

  #openTrader(keypair: Keypair): Trader {
    this.#fund(keypair);
    const owner = keypair.publicKey.toBase58();
    const open = (mint: string, program: string, amount: bigint) => {
      const address = tokenAccountOf(owner, mint, program);
      this.ledger.setAccount(address, tokenAccount(mint, owner, amount, program));
      return address;
    };
    return {
      keypair,
      quote: open(NATIVE_MINT, SPL_TOKEN, WRAPPED_LAMPORTS),
      base: this.markets.map(({ mint, tokenProgram }) => open(mint, tokenProgram, 0n)),
    };
  }
}
