import type { Exchange, Outlook } from './exchange.ts';
import type { MarketState, MarketToken } from './market-state.ts';
import type { Order } from './order-model.ts';

/** Each token swings once in this time, up and down in turn. */
const SWING_EVERY_MS = 30_000;
/** The price stays away for so long: an order that it triggers is sent while the price is there. */
const DWELL_MS = 2_000;
/** A share of the price: more than the other traders move it in a minute, and less than the slippage of the guides. */
const LEAST_BPS = 250;
const MOST_BPS = 400;
const BASIS_POINTS = 10_000n;

interface Return {
  readonly token: MarketToken;
  readonly order: Order;
  readonly dueMs: number;
}

/**
 * One trader moves the price of each token away and back again, so that an order near the price comes due within a minute
 * although most tokens are traded less often. In a model of this market with 5 and 10 tokens, orders half a percent from
 * the price came due in time in 13 to 88 of 100 cases without swings, and in 83 to 94 with swings of 4 to 6 % every 20 s;
 * the others were placed while the price was away. Orders below the price of a curve that is being completed stay rarer.
 */
export class Swings {
  readonly #state: Pick<MarketState, 'tokens' | 'swinger'>;
  readonly #exchange: Pick<Exchange, 'lookAt' | 'send'>;
  readonly #returns: Return[] = [];
  readonly #sides = new Map<MarketToken, Order['side']>();
  #turn = 0;
  #nextMs = 0;

  constructor(state: Pick<MarketState, 'tokens' | 'swinger'>, exchange: Pick<Exchange, 'lookAt' | 'send'>) {
    this.#state = state;
    this.#exchange = exchange;
  }

  /** Makes the trade that is due. Returns false when none is. */
  async step(nowMs: number): Promise<boolean> {
    const [due] = this.#returns;
    if (due !== undefined && due.dueMs <= nowMs) {
      this.#returns.shift();
      await this.#trade(due.token, due.order, await this.#lookAt(due.token));
      return true;
    }
    const { tokens } = this.#state;
    const token = tokens[this.#turn % tokens.length];
    if (token === undefined || nowMs < this.#nextMs) return false;
    this.#turn += 1;
    this.#nextMs = nowMs + SWING_EVERY_MS / tokens.length;
    await this.#begin(token, nowMs);
    return true;
  }

  async #begin(token: MarketToken, nowMs: number): Promise<void> {
    const outlook = await this.#lookAt(token);
    const { heldRaw } = outlook;
    const isFall = this.#sides.get(token) !== 'buy';
    const buy = buyOf(outlook, LEAST_BPS + Math.random() * (MOST_BPS - LEAST_BPS));
    const boughtRaw = outOf(outlook, buy);
    if (isFall && heldRaw < boughtRaw / 2n) {
      // The first falls sell what this buys.
      await this.#trade(token, buyOf(outlook, MOST_BPS), outlook);
      return;
    }
    const sell: Order = { side: 'sell', tokensRaw: isFall && heldRaw < boughtRaw ? heldRaw : boughtRaw };
    await this.#trade(token, isFall ? sell : buy, outlook);
    this.#sides.set(token, isFall ? 'buy' : 'sell');
    const back: Order = isFall ? { side: 'buy', paidLamports: outOf(outlook, sell) } : sell;
    this.#returns.push({ token, order: back, dueMs: nowMs + DWELL_MS });
  }

  async #trade(token: MarketToken, order: Order, outlook: Outlook): Promise<void> {
    // The buy before did not land.
    if (order.side === 'sell' && outlook.heldRaw < order.tokensRaw) return;
    await this.#exchange.send(token, this.#state.swinger, order, outlook, { isGreedy: false });
  }

  #lookAt(token: MarketToken): Promise<Outlook> {
    return this.#exchange.lookAt(token, this.#state.swinger);
  }
}

/** Raises the price by so much, which follows the square of the reserve. */
function buyOf({ pool: { depthLamports } }: Outlook, bps: number): Extract<Order, { side: 'buy' }> {
  return { side: 'buy', paidLamports: (depthLamports * BigInt(Math.round(bps))) / BASIS_POINTS / 2n };
}

/** The output of an order now; 0 when the pool refuses it. */
function outOf({ pool }: Outlook, order: Order): bigint {
  const amountRaw = order.side === 'buy' ? order.paidLamports : order.tokensRaw;
  return pool.outOf({ side: order.side, mode: 'exact_in', amountRaw }) ?? 0n;
}
