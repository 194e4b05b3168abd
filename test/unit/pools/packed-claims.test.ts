import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SPL_TOKEN, TOKEN_2022, WRAPPED_SOL_MINT } from '../../../src/chain/accounts/programs.ts';
import { type Claim, type ClaimKind, claimKinds } from '../../../src/chain/pools/claims/claim.ts';
import {
  type ClaimerAccounts,
  claimTransaction,
  closableMints,
  type PayableClaim,
  payableClaim,
} from '../../../src/chain/pools/claims/instructions/claim-transaction.ts';
import {
  packClaims,
  unitsFor,
  WIRE_BYTES_MAX,
  wireBytes,
} from '../../../src/chain/pools/claims/instructions/pack-claims.ts';
import { compileTransaction } from '../../../src/chain/transactions/compile-transaction.ts';
import { computeUnitLimit, computeUnitPrice } from '../../../src/chain/transactions/compute-budget.ts';
import { transferLamports } from '../../../src/chain/transactions/tip.ts';
import { addressOf } from '../../support/pools/program-idl.ts';

const CLAIMER = addressOf('claimer');

/** A claim of a token by its number. Accounts follow from it. */
function claimCase(
  token: number,
  kind: ClaimKind,
  { quoteRaw = 1_000n, baseRaw = 0n }: { quoteRaw?: bigint; baseRaw?: bigint } = {},
): Claim {
  const venue = kind === 'position_fee' ? 'amm' : 'curve';
  const name = (role: string) => addressOf(`${role} ${venue} ${token}`);
  const facts = {
    mint: addressOf(`mint ${token}`),
    pool: name('pool'),
    claimer: CLAIMER,
    base: {
      mint: addressOf(`mint ${token}`),
      tokenProgram: token % 2 === 0 ? SPL_TOKEN : TOKEN_2022,
      vault: name('base vault'),
      amountRaw: kind === 'leftover' ? 5n : baseRaw,
    },
    quote: {
      mint: WRAPPED_SOL_MINT,
      tokenProgram: SPL_TOKEN,
      vault: name('quote vault'),
      amountRaw: kind === 'leftover' ? 0n : quoteRaw,
    },
    slot: 7n,
  };
  if (kind !== 'position_fee')
    return { ...facts, kind, config: addressOf(`config ${token % 3}`), hasTransferHook: false };
  return {
    ...facts,
    kind,
    position: name('position'),
    nftMint: name('nft mint'),
    nftAccount: name('nft account'),
    isBaseTokenA: true,
  };
}

/** Every kind of claim of a token. */
function allKinds(token: number): Claim[] {
  return claimKinds.map((kind) => claimCase(token, kind));
}

const BLOCKHASH = addressOf('blockhash');
const tip = [transferLamports(CLAIMER, addressOf('tip'), 1_000n)];
const transactionsMax = 10;

function accountsFor(claims: readonly Claim[], open: Iterable<string> = []): ClaimerAccounts {
  return { wallet: CLAIMER, open: new Set(open), closable: closableMints(claims) };
}

function compiled(claims: readonly PayableClaim[], accounts: ClaimerAccounts): Uint8Array {
  const { instructions } = claimTransaction(claims, accounts, addressOf('reference'));
  return compileTransaction({
    version: 'v0',
    feePayer: CLAIMER,
    instructions: [...instructions, ...tip],
    blockhash: BLOCKHASH,
    computeUnitLimit: unitsFor(claims.length, 1),
    computeUnitPrice: 5n,
  });
}

const claimSets = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 30 }), fc.constantFrom(...claimKinds), fc.boolean()), {
    maxLength: 60,
    selector: ([token, kind]) => `${token} ${kind}`,
  })
  .map((drawn) => drawn.map(([token, kind, pays]) => claimCase(token, kind, { baseRaw: pays ? 9n : 0n })));

describe('packed claims', () => {
  test('each are in one transaction or named as the rest, and none is larger than the wire takes', async () => {
    await fc.assert(
      fc.asyncProperty(claimSets, fc.boolean(), async (claims, opensAll) => {
        const payable = await Promise.all(claims.map(payableClaim));
        const open = opensAll ? [] : payable.map(({ base }) => base.address);
        const accounts = accountsFor(claims, open);
        const { transactions, rest } = packClaims(payable, accounts, tip, transactionsMax);
        expect(transactions.length).toBeLessThanOrEqual(transactionsMax);
        expect(new Set([...transactions.flat(), ...rest])).toEqual(new Set(payable));
        expect(transactions.flat().length + rest.length).toBe(payable.length);
        for (const packed of transactions)
          expect(compiled(packed, accounts).length).toBeLessThanOrEqual(WIRE_BYTES_MAX);
        if (rest.length > 0) expect(transactions).toHaveLength(transactionsMax);
      }),
      { numRuns: 60 },
    );
  });

  test('have exactly the size that was calculated', async () => {
    await fc.assert(
      fc.asyncProperty(claimSets, async (claims) => {
        const accounts = accountsFor(claims);
        const payable = await Promise.all(claims.slice(0, 3).map(payableClaim));
        if (payable.length === 0) return;
        const { instructions } = claimTransaction(payable, accounts, addressOf('reference'));
        const budget = [computeUnitLimit(1), computeUnitPrice(1n)];
        expect(wireBytes(CLAIMER, [...budget, ...instructions, ...tip])).toBe(
          compiled(payable, accounts).length,
        );
      }),
      { numRuns: 60 },
    );
  });

  test('of one token come together: all that a creator or a partner has fits into one transaction', async () => {
    const creator = allKinds(1).filter(({ kind }) => !kind.startsWith('partner'));
    const partner = allKinds(1).filter(({ kind }) => !kind.startsWith('creator'));
    for (const claims of [creator, partner]) {
      const payable = await Promise.all(claims.map(payableClaim));
      const { transactions } = packClaims(payable, accountsFor(claims), [], transactionsMax);
      expect(transactions).toHaveLength(1);
    }
  });

  test('of a creator with many tokens are three a transaction', async () => {
    const claims = Array.from({ length: 33 }, (_, token) => claimCase(token, 'creator_trading_fee'));
    const payable = await Promise.all(claims.map(payableClaim));
    const { transactions, rest } = packClaims(payable, accountsFor(claims), [], transactionsMax);
    expect(transactions.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 3));
    expect(rest).toHaveLength(3);
  });
});

describe('accounts of tokens', () => {
  test('that are opened and stay empty are closed, unless another claim of the request may pay tokens', async () => {
    const [fee, position] = [claimCase(1, 'creator_trading_fee'), claimCase(1, 'position_fee')];
    const payable = await payableClaim(fee);
    const alone = claimTransaction([payable], accountsFor([fee]), addressOf('reference'));
    const beside = claimTransaction([payable], accountsFor([fee, position]), addressOf('reference'));
    expect(alone.keptOpen).toEqual([]);
    expect(alone.instructions).toHaveLength(beside.instructions.length + 1);
    expect(beside.keptOpen).toEqual([payable.base]);
  });

  test('that are open are neither opened nor closed', async () => {
    const claim = claimCase(1, 'creator_trading_fee');
    const payable = await payableClaim(claim);
    const accounts = accountsFor([claim], [payable.base.address]);
    const { instructions, claimsAt } = claimTransaction([payable], accounts, addressOf('reference'));
    expect({ count: instructions.length, claimsAt }).toEqual({ count: 3, claimsAt: 1 });
  });
});
