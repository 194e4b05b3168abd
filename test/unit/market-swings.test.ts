import { expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import type { Outlook } from '../../sandbox/market/exchange.ts';
import type { MarketToken } from '../../sandbox/market/market-state.ts';
import type { Order } from '../../sandbox/market/order-model.ts';
import { Swings } from '../../sandbox/market/swings.ts';

const STEP_MS = 500;
const MINUTE_MS = 60_000;
const PRODUCT = 60_000_000_000n * 1_000_000_000_000_000n;

const token = (listing: number): MarketToken => ({
  listing,
  mint: Keypair.generate(),
  creator: Keypair.generate(),
  launchedAt: '2026-01-01T00:00:00.000Z',
});

/** Pools of constant product without a fee, in which one trader trades. */
class Pools {
  readonly #reserves = new Map<MarketToken, bigint>();
  readonly #held = new Map<MarketToken, bigint>();
  readonly prices = new Map<MarketToken, number[]>();

  async lookAt(of: MarketToken): Promise<Outlook> {
    const reserve = this.#reserveOf(of);
    const tokens = PRODUCT / reserve;
    const outOf: Outlook['pool']['outOf'] = ({ side, amountRaw }) =>
      side === 'buy' ? tokens - PRODUCT / (reserve + amountRaw) : reserve - PRODUCT / (tokens + amountRaw);
    return {
      heldRaw: this.#held.get(of) ?? 0n,
      hasAccount: true,
      pool: {
        isMigrated: false,
        reserveLamports: reserve,
        depthLamports: reserve,
        mostLamports: null,
        outOf,
      },
    };
  }

  async send(of: MarketToken, _trader: Keypair, order: Order): Promise<string> {
    const reserve = this.#reserveOf(of);
    const tokens = PRODUCT / reserve;
    const held = this.#held.get(of) ?? 0n;
    const after = order.side === 'buy' ? reserve + order.paidLamports : PRODUCT / (tokens + order.tokensRaw);
    const moved = tokens - PRODUCT / after;
    expect(held + moved).toBeGreaterThanOrEqual(0n);
    this.#held.set(of, held + moved);
    this.#reserves.set(of, after);
    const price = Number(after * after) / Number(PRODUCT);
    this.prices.set(of, [...(this.prices.get(of) ?? []), price]);
    return '';
  }

  #reserveOf(of: MarketToken): bigint {
    return this.#reserves.get(of) ?? 60_000_000_000n;
  }
}

test('the price of each token goes up and down by two percent in every minute, and comes back after two seconds', async () => {
  const tokens = Array.from({ length: 10 }, (_, at) => token(at));
  const pools = new Pools();
  const swings = new Swings({ tokens, swinger: Keypair.generate() }, pools);
  /** When the price was away, and to which side, for each token. */
  const away = new Map<MarketToken, { atMs: number; side: number }[]>(tokens.map((one) => [one, []]));
  let longestMs = 0;
  const since = new Map<MarketToken, number>();
  let middle = new Map<MarketToken, number>();
  for (let nowMs = 0; nowMs < 6 * MINUTE_MS; nowMs += STEP_MS) {
    await swings.step(nowMs);
    if (nowMs === 2 * MINUTE_MS)
      middle = new Map(tokens.map((one) => [one, medianOf(pools.prices.get(one)?.slice(1))]));
    for (const [one, price] of middle) {
      const distance = (pools.prices.get(one)?.at(-1) ?? price) / price - 1;
      if (Math.abs(distance) < 0.02) {
        since.delete(one);
        continue;
      }
      away.get(one)?.push({ atMs: nowMs, side: Math.sign(distance) });
      since.set(one, since.get(one) ?? nowMs);
      longestMs = Math.max(longestMs, nowMs - (since.get(one) ?? nowMs));
    }
  }
  for (const one of tokens)
    for (let fromMs = 2 * MINUTE_MS; fromMs < 5 * MINUTE_MS; fromMs += 1_000)
      for (const side of [1, -1]) {
        const isSeen = away
          .get(one)
          ?.some((seen) => seen.side === side && seen.atMs >= fromMs && seen.atMs < fromMs + MINUTE_MS);
        expect(isSeen, `token ${one.listing}, side ${side}, from ${fromMs} ms`).toBe(true);
      }
  expect(longestMs).toBeLessThanOrEqual(4_000);
});

function medianOf(prices: readonly number[] = []): number {
  return prices.toSorted((one, other) => one - other)[Math.floor(prices.length / 2)] ?? 0;
}
