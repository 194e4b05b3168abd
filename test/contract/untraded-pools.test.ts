import { beforeAll, expect, test } from 'bun:test';
import { DAMM_V1_MIGRATION_FEE_ADDRESS } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { Keypair } from '@solana/web3.js';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { expectProblem } from '../support/api/problems.ts';
import { DammV1Market } from '../support/pools/damm-v1-market.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

// Pools that the indexer follows and the api does not trade (contract/trading#not-tradable).

let market: TradedMarket;
let trader: Trader;

beforeAll(async () => {
  market = await TradedMarket.start();
  trader = await market.trader();
});

const buy = { side: 'buy', amountRaw: '100000000' };
const refused = async (mint: string) => {
  for (const response of [await market.quote(mint, buy), await market.swap(mint, trader, buy)]) {
    const problem = await expectProblem(response, 'token_not_tradable');
    expect(problem.context).toEqual({ status: 'bonding', reason: 'amm_unsupported' });
  }
};
const vault = {
  totalRaw: 1_000_000_000n,
  supply: 1_000_000_000n,
  shares: 1_000_000_000n,
  lockedProfitRaw: 0n,
  lastReportSeconds: 0n,
  lockedProfitDegradation: 0n,
};
const put = (address: string, account: ChainAccount) =>
  market.chain.ledger.setAccount(address, {
    ...account,
    lamports: 1_000_000_000n,
    executable: false,
    rentEpoch: 0n,
  });
const changed = (address: string, bytes: Record<number, number>) => {
  const account = market.chain.ledger.vm.getAccount(address);
  if (account === null) throw new Error('no such account');
  const data = Uint8Array.from(account.data);
  for (const [at, value] of Object.entries(bytes)) data[Number(at)] = value;
  put(address, { owner: account.owner, data });
};

test('after a migration into DAMM v1 neither the new pool nor the old curve is quoted', async () => {
  const moved = await market.launch(curvePlans.quick);
  const feeOption = 3;
  changed(moved.config, { 233: 0, 243: feeOption }); // migration_option, migration_fee_option
  changed(moved.pool, { 308: 3 }); // migration_progress
  const config = String(DAMM_V1_MIGRATION_FEE_ADDRESS[feeOption]);
  const amm = new DammV1Market({ mintAddress: moved.mint, config, sol: vault, token: vault });
  market.settle();
  await refused(moved.mint);
  put(amm.poolAddress, amm.poolAccount());
  market.settle();
  await refused(moved.mint);
});

test('a registered pool that is no curve', async () => {
  const mint = Keypair.generate().publicKey.toBase58();
  const amm = new DammV1Market({ mintAddress: mint, sol: vault, token: vault });
  put(amm.poolAddress, amm.poolAccount());
  market.settle();
  await market.list(mint, amm.poolAddress);
  await refused(mint);
});
