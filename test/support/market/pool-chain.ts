import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import { parseTransaction } from '../../../sandbox/chain/wire-transaction.ts';
import { LAMPORTS_PER_SOL } from '../../../sandbox/market/amounts.ts';
import { curvePlans } from '../../../sandbox/market/curve-kinds.ts';
import { type LaunchAddresses, launchAddresses } from '../../../sandbox/market/launch-addresses.ts';
import { createConfig } from '../../../sandbox/market/pool-instructions.ts';
import {
  launchInstructions,
  signed,
  tradeInstructions,
  wrapInstructions,
} from '../../../sandbox/market/transactions.ts';
import { SYSTEM_PROGRAM } from '../../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';

/** The offset of the mint in the account of a curve pool. */
const BASE_MINT = 136;
const PLENTY_LAMPORTS = 1_000_000n * LAMPORTS_PER_SOL;
/** The amount is too small to complete a curve. */
const TRADE_LAMPORTS = 10_000n;
const LAUNCH_LAMPORTS = 1_000_000n;

export interface PoolToken {
  mintAddress: string;
  poolAddress: string;
}

interface Launched extends PoolToken {
  addresses: LaunchAddresses;
  hasTraded: boolean;
}

/** A sandbox chain with many curve pools. Some were launched and trade, the others are accounts that never
 * change. */
export class PoolChain {
  readonly launched: Launched[] = [];
  readonly quiet: PoolToken[] = [];
  readonly chain: SandboxChain;
  readonly #trader = Keypair.generate();
  readonly #config = Keypair.generate();
  readonly #plan = curvePlans.steady;
  readonly #confirming: { slot: bigint; resolve(atMs: number): void }[] = [];
  #traded = 0n;

  constructor(chain: SandboxChain) {
    this.chain = chain;
    const { ledger } = chain;
    const account = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n };
    ledger.setAccount(this.#wallet, { ...account, lamports: PLENTY_LAMPORTS });
    this.#land(wrapInstructions(this.#wallet, PLENTY_LAMPORTS / 2n), [this.#trader]);
    const config = this.#config.publicKey.toBase58();
    this.#land([createConfig(this.#plan, { config, partner: this.#wallet })], [this.#trader, this.#config]);
    ledger.listeners.add({ changed: () => {}, forked: () => {}, slotEntered: () => this.#confirm() });
  }

  static async start(slotMs: number | 'manual' = 400): Promise<PoolChain> {
    return new PoolChain(await startChain({ slotMs }));
  }

  get #wallet(): string {
    return this.#trader.publicKey.toBase58();
  }

  /** Launches a pool. The launch includes a buy. */
  launch(): PoolToken & { signature: string } {
    const mint = Keypair.generate();
    const mintAddress = mint.publicKey.toBase58();
    const addresses = launchAddresses(mintAddress, this.#config.publicKey.toBase58(), this.#plan);
    const texts = { name: 'Benchmark', symbol: 'BENCH', uri: 'https://example.com/bench.json' };
    const signature = this.#land(launchInstructions(addresses, this.#wallet, texts, LAUNCH_LAMPORTS), [
      this.#trader,
      mint,
    ]);
    this.launched.push({ mintAddress, poolAddress: addresses.pool, addresses, hasTraded: false });
    return { mintAddress, poolAddress: addresses.pool, signature };
  }

  /** Adds a copy of a launched pool's account with a new address and a new mint. */
  addQuiet(): void {
    const { ledger } = this.chain;
    const model = ledger.vm.getAccount(this.launched[0]?.poolAddress ?? '');
    if (model === null) throw new Error('no pool to copy');
    const [mint, pool] = [randomAddress(), randomAddress()];
    const data = Uint8Array.from(model.data);
    data.set(mint, BASE_MINT);
    const token = { mintAddress: encodeBase58(mint), poolAddress: encodeBase58(pool) };
    ledger.setAccount(token.poolAddress, { ...model, data });
    this.quiet.push(token);
  }

  /** Lands a buy; resolves with the time at which it is confirmed. */
  trade(at: number): { mintAddress: string; signature: string; confirmedAtMs: Promise<number> } {
    const token = this.launched[at % this.launched.length];
    if (token === undefined) throw new Error('no token has been launched');
    // Different amounts distinguish buys of the same slot.
    this.#traded += 1n;
    const order = {
      side: 'buy',
      mode: 'exact_in',
      amountRaw: TRADE_LAMPORTS + this.#traded,
      limitRaw: 1n,
    } as const;
    const instructions = tradeInstructions(token.addresses, this.#wallet, order, {
      opens: !token.hasTraded,
      isMigrated: false,
    });
    token.hasTraded = true;
    const { ledger } = this.chain;
    ledger.tick();
    const slot = ledger.slot;
    const signature = this.#land(instructions, [this.#trader]);
    const confirmedAtMs = new Promise<number>((resolve) => void this.#confirming.push({ slot, resolve }));
    return { mintAddress: token.mintAddress, signature, confirmedAtMs };
  }

  /** A node shows a trade at `confirmed` from the start of the next slot. */
  #confirm(): void {
    const now = performance.now();
    while (this.#confirming[0] !== undefined && this.#confirming[0].slot < this.chain.ledger.slot)
      this.#confirming.shift()?.resolve(now);
  }

  #land(instructions: Parameters<typeof signed>[0], signers: readonly Keypair[]): string {
    const { ledger } = this.chain;
    const wire = parseTransaction(signed(instructions, signers, ledger.ring.hashOf(ledger.slot)));
    const { landed, err } = ledger.land(wire);
    if (!landed || err !== null) throw new Error(`the chain refused a transaction: ${JSON.stringify(err)}`);
    return wire.signature;
  }
}

function randomAddress(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}
