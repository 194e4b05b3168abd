import { setFeeAccount } from '../../../src/features/trading/fee-account-rows.ts';
import type { TradedMarket, Trader } from './traded-market.ts';

/** Registers the account that gets a trader's platform fees, as an operator does, without a look at the chain. */
export async function registerFeeAccount(
  { api }: TradedMarket,
  { key: { accountId } }: Trader,
  address: string,
): Promise<void> {
  const { database, clock } = api.dependencies;
  const stored = await setFeeAccount(database, { accountId, address, now: clock.now() });
  if (stored === null) throw new Error(`no account ${accountId}`);
}
