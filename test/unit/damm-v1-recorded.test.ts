import { expect, test } from 'bun:test';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import { findShare, readShareLamports } from '../../src/indexer/pool-history/pool-liquidity.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import {
  type DammV1Recording,
  type DammV1Step,
  readDammV1Recordings,
  solRawAfter,
} from '../support/pools/damm-v1-recordings.ts';
import { sdkSwapArguments, sdkSwapEvents } from '../support/pools/damm-v1-sdk.ts';
import { accountsOf } from '../support/recorded-histories.ts';

// Histories that the compiled programs executed (test/fixtures/damm-v1).

const recordings = readDammV1Recordings();
const decode = ({ pool }: DammV1Recording, { transaction }: DammV1Step) =>
  decodeTransaction(readChainTransaction(transaction), pool);
const raw = (amount: string, decimals: number) => {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};

/** The growth of these token accounts in the transaction. */
function gained({ transaction }: DammV1Step, addresses: readonly string[]): bigint {
  const keys = accountsOf(transaction);
  const sum = (balances: DammV1Step['transaction']['meta']['preTokenBalances']) =>
    balances
      .filter(({ accountIndex }) => addresses.includes(keys[accountIndex] ?? ''))
      .reduce((total, { uiTokenAmount }) => total + BigInt(uiTokenAmount.amount), 0n);
  return sum(transaction.meta.postTokenBalances) - sum(transaction.meta.preTokenBalances);
}

test('the trades of every transaction add up to what the vaults and the accounts of fees gained and lost', () => {
  let trades = 0;
  for (const recording of recordings)
    for (const step of recording.steps) {
      const decoded = decode(recording, step);
      expect([decoded.skippedSwaps, decoded.unknownEvents.size]).toEqual([[], 0]);
      expect(decoded.poolCreated).toBe(step.what === 'the pool is opened');
      if (decoded.trades.length === 0) continue;
      trades += decoded.trades.length;
      const sum = { sol: 0n, token: 0n };
      for (const { type, solAmount, tokenAmount } of decoded.trades) {
        const sign = type === 'buy' ? 1n : -1n;
        sum.sol += sign * raw(solAmount, 9);
        sum.token -= sign * raw(tokenAmount, recording.pool.decimals);
      }
      const { sol, token } = recording.sides;
      expect(sum).toEqual({
        sol: gained(step, [sol.tokenVault, sol.protocolFee]),
        token: gained(step, [token.tokenVault, token.protocolFee]),
      });
    }
  expect(trades).toBe(16);
});

test('each trade is a swap that the program logged, with the amount that its trader gave', () => {
  for (const recording of recordings)
    for (const step of recording.steps) {
      const { trades } = decode(recording, step);
      const { err, logMessages } = step.transaction.meta;
      const logged = err === null ? sdkSwapEvents(logMessages) : [];
      const keys = accountsOf(step.transaction);
      expect(trades.length).toBe(logged.length);
      for (const [at, { type, solAmount, tokenAmount, outerIndex, traderWallet }] of trades.entries()) {
        const [sol, token] = [raw(solAmount, 9), raw(tokenAmount, recording.pool.decimals)];
        const [paid, received] = type === 'buy' ? [sol, token] : [token, sol];
        const { inRaw, outRaw } = logged[at] ?? { inRaw: -1n, outRaw: -1n };
        // The log has the input that the formula needed, and its output before shares of the vault were rounded.
        expect(paid >= inRaw && [0n, 1n].includes(outRaw - received)).toBe(true);
        const swap = step.transaction.transaction.message.instructions[outerIndex];
        const asked = sdkSwapArguments(swap?.data ?? '', swap?.accounts.map((one) => keys[one] ?? '') ?? []);
        expect([asked.inRaw, asked.user]).toEqual([paid, traderWallet]);
      }
    }
});

test('the SOL in the pool is what the program itself says, with profit of the vault still locked', async () => {
  for (const recording of recordings)
    for (const step of recording.steps) {
      const { accounts } = step;
      if (accounts === undefined) continue;
      const read = async (addresses: readonly string[]) =>
        new Map(addresses.map((address) => [address, accounts.get(address) ?? null]));
      const share = await findShare(read, recording.pool.poolAddress);
      if (share === null) throw new Error('the pool is not read');
      expect(await readShareLamports(read, share)).toBe(solRawAfter(recording, step));
    }
});

test('a swap leaves the account of its pool as it was, and so do providers of liquidity', () => {
  for (const { pool, steps } of recordings) {
    const bytes = steps.flatMap(({ accounts }) => {
      const account = accounts?.get(pool.poolAddress);
      return account === undefined ? [] : [Buffer.from(account.data).toString('hex')];
    });
    expect(bytes.length).toBe(11);
    expect(new Set(bytes).size).toBe(1);
  }
});

test('a sell of next to nothing is a trade of the lamports that it paid', () => {
  for (const recording of recordings) {
    const step = recording.steps.find(({ what }) => what === 'a sell of next to nothing');
    if (step === undefined) throw new Error('not recorded');
    const [trade] = decode(recording, step).trades;
    expect(trade).toMatchObject({ type: 'sell', tokenAmount: '0.04', spotPriceInSol: null });
    expect(trade?.solAmount).toBe(rawToDecimal(-gained(step, [recording.sides.sol.tokenVault]), 9));
  }
});
