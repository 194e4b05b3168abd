import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { BONDING_CURVE, DAMM_V2 } from '../../src/chain/accounts/programs.ts';
import { writeCurveConfig } from '../../src/chain/pools/curve/config-account.ts';
import { type CurvePool, writeCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { type DammPoolState, writeDammPoolState } from '../../src/chain/pools/damm/pool-account.ts';
import type { CurveConfigNumbers } from './curve-arbitraries.ts';

/** Accounts whose other fields are zero. */
export function curveConfigAccount(config: CurveConfigNumbers): ChainAccount {
  const account = blank(BONDING_CURVE, '1a6c0e7b74e6812b', 1048);
  writeCurveConfig(account.data, config);
  return account;
}

export function curvePoolAccount(pool: Partial<CurvePool>): ChainAccount {
  const account = blank(BONDING_CURVE, 'd5e005d16245775c', 424);
  writeCurvePool(account.data, pool);
  return account;
}

export function dammPoolAccountOf(pool: Partial<DammPoolState>): ChainAccount {
  const account = blank(DAMM_V2, 'f19a6d0411b16dbc', 1112);
  writeDammPoolState(account.data, pool);
  return account;
}

function blank(owner: string, discriminator: string, byteCount: number): ChainAccount {
  const data = Buffer.alloc(byteCount);
  data.write(discriminator, 'hex');
  return { owner, data };
}
