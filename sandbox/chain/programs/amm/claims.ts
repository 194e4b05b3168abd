import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import {
  accountsOf,
  readonly,
  readonlyTokens,
  signer,
  stateOf,
  tokenAccount,
  tokenInterface,
  writable,
  writableStateOf,
} from '../anchor/accounts.ts';
import type { Handler } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import { lesser } from '../pool-numbers.ts';
import { isPermitted, isTreasuryAccount } from '../treasury.ts';
import {
  fromPool,
  loadOwnPosition,
  loadPool,
  positionDemands,
  requirePoolAuthority,
  requireSides,
  savePool,
  savePosition,
  settledFees,
} from './amm-accounts.ts';
import { requireAmm } from './amm-errors.ts';

const CLAIM_PROTOCOL_FEE = 9;

export const claimPositionFee: Handler = function* (call) {
  const accounts = accountsOf(call, DAMM_V2, {
    pool_authority: readonly,
    pool: stateOf('Pool'),
    ...positionDemands,
  });
  requirePoolAuthority(accounts.pool_authority);
  const pool = loadPool(call, accounts.pool);
  requireSides(call, pool, accounts);
  const position = loadOwnPosition(call, accounts);
  const settled = { ...position, ...settledFees(position, pool) };
  const { feeAPending: a, feeBPending: b } = settled;
  yield* savePosition(call, accounts.position, {
    feeACheckpoint: settled.feeACheckpoint,
    feeBCheckpoint: settled.feeBCheckpoint,
    feeAPending: 0n,
    feeBPending: 0n,
    totalClaimedAFee: position.totalClaimedAFee + a,
    totalClaimedBFee: position.totalClaimedBFee + b,
  });
  if (a > 0n) yield fromPool(call, accounts, 'a', accounts.token_a_account.address, a);
  if (b > 0n) yield fromPool(call, accounts, 'b', accounts.token_b_account.address, b);
  yield event(DAMM_V2, 'EvtClaimPositionFee', (to) =>
    to.address(accounts.pool.address, accounts.position.address, accounts.owner.address).u64(a, b),
  );
};

export const claimProtocolFee: Handler = function* (call, args) {
  const accounts = accountsOf(call, DAMM_V2, {
    pool_authority: readonly,
    pool: writableStateOf('Pool'),
    token_a_vault: tokenAccount,
    token_b_vault: tokenAccount,
    token_a_mint: readonlyTokens,
    token_b_mint: readonlyTokens,
    token_a_account: writable,
    token_b_account: writable,
    operator: stateOf('Operator'),
    signer,
    token_a_program: tokenInterface,
    token_b_program: tokenInterface,
    event_authority: readonly,
    program: readonly,
  });
  requirePoolAuthority(accounts.pool_authority);
  const pool = loadPool(call, accounts.pool);
  requireSides(call, pool, accounts);
  const isAllowed = isPermitted(call, DAMM_V2, accounts.operator, accounts.signer, CLAIM_PROTOCOL_FEE);
  requireAmm(isAllowed, 'InvalidPermission');
  const [maxA, maxB] = [args.u64(), args.u64()];
  const a = lesser(pool.protocolAFee, maxA);
  const b = lesser(pool.protocolBFee, maxB);
  yield* savePool(call, accounts.pool, {
    protocolAFee: pool.protocolAFee - a,
    protocolBFee: pool.protocolBFee - b,
  });
  const payouts = [
    {
      side: 'a',
      to: accounts.token_a_account,
      mint: pool.tokenAMint,
      program: accounts.token_a_program,
      amount: a,
    },
    {
      side: 'b',
      to: accounts.token_b_account,
      mint: pool.tokenBMint,
      program: accounts.token_b_program,
      amount: b,
    },
  ] as const;
  for (const { side, to, mint, program, amount } of payouts) {
    if (amount === 0n) continue;
    requireAmm(isTreasuryAccount(to.address, mint, program.address), 'IncorrectATA');
    yield fromPool(call, accounts, side, to.address, amount);
  }
  yield event(DAMM_V2, 'EvtClaimProtocolFee', (to) => to.address(accounts.pool.address).u64(a, b));
};
