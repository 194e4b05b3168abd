import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import fc from 'fast-check';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { type LaunchAddresses, tokenAccountOf } from '../../sandbox/market/launch-addresses.ts';
import { SPL_TOKEN } from '../../src/chain/accounts/programs.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { registerFeeAccount } from '../support/trading/fee-account.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

/** One signature, without priority. */
const NETWORK_FEE = 5_000n;

let market: TradedMarket;
let trader: Trader;
let feeAccount: string;
const pools: { addresses: LaunchAddresses; isMigrated: boolean }[] = [];

const register = (address: string) => registerFeeAccount(market, trader, address);
const heldBy = (address: string) => market.chain.ledger.vm.getAccount(address)?.lamports ?? 0n;
const tokensOf = (mint: string) => market.held(tokenAccountOf(trader.key.walletAddress, mint, SPL_TOKEN));

beforeAll(async () => {
  market = await TradedMarket.start();
  trader = await market.trader();
  feeAccount = (await fundedWallet(market.chain.rpcUrl)).publicKey.toBase58();
  await register(feeAccount);
  const curve = await market.launch(curvePlans.steady);
  const migrated = await market.launch(curvePlans.steady);
  await market.complete(migrated);
  market.migrate(migrated);
  pools.push({ addresses: curve, isMigrated: false }, { addresses: migrated, isMigrated: true });
  for (const { addresses } of pools) {
    const order = { side: 'buy', amountRaw: '20000000000' };
    const { intentId } = await market.prepared(addresses.mint, trader, order);
    expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
  }
  market.stopTime();
});

describe('a swap with a platform fee', () => {
  const requests = fc.record({
    pool: fc.nat({ max: 1 }),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    mode: fc.constantFrom('exact-in', 'exact-out'),
    size: fc.integer({ min: 1, max: 900 }),
    platformFeeBps: fc.integer({ min: 1, max: 500 }),
    slippageBps: fc.constantFrom(0, 50, 10_000),
  });

  test('pays exactly the quoted lamports, and the wallet pays and gets exactly what was quoted', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ pool: at, side, mode, size, platformFeeBps, slippageBps }) => {
        const { addresses } = pools[at] ?? expect.unreachable();
        const { mint } = addresses;
        const isInSol = (side === 'buy') === (mode === 'exact-in');
        const amountRaw = String(isInSol ? size * 1_000_000 : size * 10_000_000);
        const before = { fee: heldBy(feeAccount), sol: market.lamportsOf(trader), tokens: tokensOf(mint) };
        const order = { side, mode, amountRaw, platformFeeBps, slippageBps, computeUnitPrice: '0' };
        const { intentId, quote } = await market.prepared(mint, trader, order);
        expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
        const lamports = BigInt(quote.platformFee.lamports);
        expect(heldBy(feeAccount) - before.fee).toBe(lamports);
        const [inputRaw, outputRaw] = [BigInt(quote.inputRaw), BigInt(quote.outputRaw)];
        const sol = market.lamportsOf(trader) - before.sol + NETWORK_FEE;
        const tokens = tokensOf(mint) - before.tokens;
        expect([sol, tokens]).toEqual(side === 'buy' ? [-inputRaw, outputRaw] : [outputRaw, -inputRaw]);
        expect(mode === 'exact-in' ? quote.inputRaw : quote.outputRaw).toBe(amountRaw);
        const gross = side === 'buy' ? inputRaw : outputRaw + lamports;
        expect(lamports).toBe((gross * BigInt(platformFeeBps)) / 10_000n);
        const { account, bps } = quote.platformFee;
        expect([account, bps]).toEqual([feeAccount, platformFeeBps]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the account of a platform fee', () => {
  test('that would hold less than its rent is refused for what the chain would refuse', async () => {
    const { mint } = pools[0]?.addresses ?? expect.unreachable();
    await register(Keypair.generate().publicKey.toBase58());
    const order = { side: 'buy', amountRaw: '10000000', platformFeeBps: 100 };
    const response = await market.swap(mint, trader, order);
    const text = await response.text();
    expect([response.status, text]).toEqual([409, expect.stringContaining('not_rent_exempt')]);
    // A fee that pays the rent opens the account.
    const { intentId } = await market.prepared(mint, trader, { ...order, amountRaw: '100000000' });
    expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
    await register(feeAccount);
  });
});
