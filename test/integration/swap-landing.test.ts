import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { type LaunchAddresses, tokenAccountOf } from '../../sandbox/market/launch-addresses.ts';
import { SPL_TOKEN, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

let market: TradedMarket;
let trader: Trader;
/** By venue and kind of token. */
const pools: { name: string; addresses: LaunchAddresses; isMigrated: boolean }[] = [];

beforeAll(async () => {
  market = await TradedMarket.start();
  trader = await market.trader();
  for (const kind of ['steady', 'scheduled'] as const) {
    pools.push({ name: kind, addresses: await market.launch(curvePlans[kind]), isMigrated: false });
    const migrated = await market.launch(curvePlans[kind]);
    await market.complete(migrated);
    market.migrate(migrated);
    pools.push({ name: `${kind}, migrated`, addresses: migrated, isMigrated: true });
  }
  // Something to sell, and so much that swaps in any order neither empty a pool nor complete a curve.
  for (const { addresses } of pools) {
    const { intentId } = await market.prepared(addresses.mint, trader, {
      side: 'buy',
      amountRaw: '20000000000',
    });
    expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
  }
  // A quote knows the time of the confirmed slot, and its swap lands in a later one.
  market.stopTime();
});

function vaultsOf({ addresses, isMigrated }: (typeof pools)[number]) {
  const { baseVault, quoteVault } = isMigrated ? addresses.amm : addresses;
  return { base: market.held(baseVault), quote: market.held(quoteVault) };
}

describe('a swap lands as quoted', () => {
  const requests = fc.record({
    pool: fc.nat({ max: 3 }),
    side: fc.constantFrom('buy', 'sell'),
    mode: fc.constantFrom('exact-in', 'exact-out'),
    /** Thousandths of a SOL, or of what that is worth. */
    size: fc.integer({ min: 1, max: 900 }),
    version: fc.constantFrom('legacy', 'v0', 'v1'),
    slippageBps: fc.constantFrom(0, 50, 10_000),
  });

  test('to the last unit, on curve and AMM, both sides, both modes, every wire version', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ pool: at, side, mode, size, version, slippageBps }) => {
        const pool = pools[at] ?? expect.unreachable();
        const { mint } = pool.addresses;
        const isInSol = (side === 'buy') === (mode === 'exact-in');
        const amountRaw = isInSol ? size * 1_000_000 : size * 10_000_000;
        const before = vaultsOf(pool);
        const { intentId, quote } = await market.prepared(mint, trader, {
          side,
          mode,
          amountRaw: String(amountRaw),
          slippageBps,
          transactionVersion: version,
        });
        expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
        const after = vaultsOf(pool);
        const [paid, got] =
          side === 'buy'
            ? [after.quote - before.quote, before.base - after.base]
            : [after.base - before.base, before.quote - after.quote];
        expect([String(paid), String(got)]).toEqual([quote.inputRaw, quote.outputRaw]);
        expect(quote.venue).toBe(pool.isMigrated ? 'amm' : 'bonding_curve');
        expect(mode === 'exact-in' ? quote.inputRaw : quote.outputRaw).toBe(String(amountRaw));
        const { totalRaw, protocolRaw, partnerRaw, creatorRaw, liquidityProvidersRaw } = quote.fee;
        const parts = [protocolRaw, partnerRaw, creatorRaw, liquidityProvidersRaw].map(BigInt);
        expect(String(parts.reduce((sum, part) => sum + part, 0n))).toBe(totalRaw);
        // The next quote begins where this one said that it would end.
        const next = await market.quote(mint, { side: 'buy', amountRaw: 1_000_000 });
        expect(((await next.json()) as { spotPriceInSol: string }).spotPriceInSol).toBe(
          quote.spotPriceAfterInSol,
        );
      }),
      { numRuns: 40 },
    );
  });

  test('and leaves no wrapped SOL: the wallet ends with SOL and tokens', async () => {
    const { addresses } = pools[0] ?? expect.unreachable();
    const { intentId } = await market.prepared(addresses.mint, trader, {
      side: 'buy',
      mode: 'exact-out',
      amountRaw: '1000000',
      slippageBps: 5_000,
    });
    expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
    const wrapped = tokenAccountOf(trader.key.walletAddress, WRAPPED_SOL_MINT, SPL_TOKEN);
    expect(market.chain.ledger.vm.getAccount(wrapped)).toBeNull();
  });
});
