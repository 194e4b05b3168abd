import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { Keypair } from '@solana/web3.js';
import type { SolanaRpc } from '../solana-rpc.ts';
import { type Quote, quoteBuy, quoteSell, type Reserves } from './curve.ts';
import type { MarketState, MarketToken } from './market-state.ts';
import type { Order } from './order-model.ts';
import { START_LAMPORTS } from './token-launch.ts';
import { tradeTransaction } from './transactions.ts';

/** A trade that was sent to the chain and is not known to have landed. */
export interface SentTrade {
  readonly token: MarketToken;
  readonly trader: Keypair;
  readonly side: 'buy' | 'sell';
  readonly quote: Quote;
  readonly signature: string;
  readonly tokenInstructionIndex: number;
}

/** Sends trades to the chain and tracks the balances that pools and traders will have when all of them have landed. */
export class Exchange {
  readonly #state: MarketState;
  readonly #rpc: SolanaRpc;
  readonly #pools = new Map<MarketToken, Reserves>();
  /** Raw token amounts by trader, then mint. */
  readonly #holdings = new Map<Keypair, Map<string, bigint>>();

  constructor(state: MarketState, rpc: SolanaRpc) {
    this.#state = state;
    this.#rpc = rpc;
  }

  /** Reads all balances from the chain: at the start, and after a sent trade was lost. */
  async reload(): Promise<void> {
    for (const trader of this.#state.traders) this.#holdings.set(trader, await this.#tokensOf(trader));
    for (const token of this.#state.tokens) await this.loadPool(token);
  }

  async loadPool(token: MarketToken): Promise<void> {
    const balance = await this.#rpc.balanceLamports(token.pool.publicKey.toBase58());
    const tokens = await this.#tokensOf(token.pool);
    const tokensRaw = tokens.get(token.mint.publicKey.toBase58()) ?? 0n;
    this.#pools.set(token, { lamports: balance > START_LAMPORTS ? balance - START_LAMPORTS : 0n, tokensRaw });
  }

  poolOf(token: MarketToken): Reserves {
    const pool = this.#pools.get(token);
    if (pool === undefined) throw new Error('the pool of a token was not loaded');
    return pool;
  }

  heldBy(trader: Keypair, token: MarketToken): bigint {
    return this.#holdings.get(trader)?.get(token.mint.publicKey.toBase58()) ?? 0n;
  }

  /** Prices an order and sends its transaction; null when it is too small to move anything. */
  async send(
    token: MarketToken,
    trader: Keypair,
    order: Order,
    blockhash: string,
  ): Promise<SentTrade | null> {
    const pool = this.poolOf(token);
    const { side } = order;
    const quote = side === 'buy' ? quoteBuy(pool, order.paidLamports) : quoteSell(pool, order.tokensRaw);
    if (quote.tokensRaw <= 0n || quote.traderLamports <= 0n) return null;
    const transaction = tradeTransaction(side, token, trader, this.#state.fees.publicKey, quote, blockhash);
    const signature = await this.#rpc.send(transaction.wire);
    this.#pools.set(token, quote.after);
    const mint = token.mint.publicKey.toBase58();
    const held = this.heldBy(trader, token);
    const afterwards = side === 'buy' ? held + quote.tokensRaw : held - quote.tokensRaw;
    this.#holdings.get(trader)?.set(mint, afterwards);
    return {
      token,
      trader,
      side,
      quote,
      signature,
      tokenInstructionIndex: transaction.tokenInstructionIndex,
    };
  }

  #tokensOf(wallet: Keypair): Promise<Map<string, bigint>> {
    return this.#rpc.tokenBalances(wallet.publicKey.toBase58(), TOKEN_PROGRAM_ID.toBase58());
  }
}
