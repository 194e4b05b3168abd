import { describe, expect, test } from 'bun:test';
import { CpAmm } from '@meteora-ag/cp-amm-sdk';
import { createDbcProgram } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { Connection, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import BN from 'bn.js';
import bs58 from 'bs58';
import { BONDING_CURVE, DAMM_V2, SPL_TOKEN, TOKEN_2022 } from '../../../src/chain/accounts/programs.ts';
import { claimPositionFee } from '../../../src/chain/pools/claims/instructions/claim-instruction.ts';
import {
  type CurveParty,
  claimTradingFee,
  withdrawLeftover,
  withdrawMigrationFee,
  withdrawSurplus,
} from '../../../src/chain/pools/claims/instructions/curve-claims.ts';
import type { Instruction } from '../../../src/chain/transactions/instruction.ts';
import { readChainTransaction } from '../../../src/indexer/decode/chain-transaction.ts';
import { readDammFixtures } from '../../support/pools/damm-fixtures.ts';
import { addressOf } from '../../support/pools/program-idl.ts';

// Nothing connects to this address, because the libraries only encode here.
const nowhere = new Connection('http://127.0.0.1:1');
const { methods: curveMethods } = createDbcProgram(nowhere).program;
const { methods: ammMethods } = new CpAmm(nowhere)._program;

const curve = {
  pool: addressOf('pool'),
  config: addressOf('config'),
  baseMint: addressOf('base_mint'),
  quoteMint: addressOf('quote_mint'),
  baseVault: addressOf('base_vault'),
  quoteVault: addressOf('quote_vault'),
  baseTokenProgram: TOKEN_2022,
  quoteTokenProgram: SPL_TOKEN,
};
const claimant = {
  wallet: addressOf('wallet'),
  baseAccount: addressOf('base_account'),
  quoteAccount: addressOf('quote_account'),
};
const authorities = {
  [BONDING_CURVE]: {
    poolAuthority: new PublicKey('FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM'),
    eventAuthority: new PublicKey('8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF'),
    program: new PublicKey(BONDING_CURVE),
  },
  [DAMM_V2]: {
    poolAuthority: new PublicKey('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC'),
    eventAuthority: new PublicKey('3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet'),
    program: new PublicKey(DAMM_V2),
  },
};
const key = (address: string) => new PublicKey(address);
const whole = {
  poolAuthority: authorities[BONDING_CURVE].poolAuthority,
  tokenAAccount: key(claimant.baseAccount),
  tokenBAccount: key(claimant.quoteAccount),
  pool: key(curve.pool),
  baseVault: key(curve.baseVault),
  quoteVault: key(curve.quoteVault),
  baseMint: key(curve.baseMint),
  quoteMint: key(curve.quoteMint),
  tokenBaseProgram: key(curve.baseTokenProgram),
  tokenQuoteProgram: key(curve.quoteTokenProgram),
  eventAuthority: authorities[BONDING_CURVE].eventAuthority,
  program: authorities[BONDING_CURVE].program,
};
const withdrawn = {
  poolAuthority: whole.poolAuthority,
  config: key(curve.config),
  virtualPool: whole.pool,
  tokenQuoteAccount: whole.tokenBAccount,
  quoteVault: whole.quoteVault,
  quoteMint: whole.quoteMint,
  tokenQuoteProgram: whole.tokenQuoteProgram,
  eventAuthority: whole.eventAuthority,
  program: whole.program,
};

function expectSame(ours: Instruction, theirs: TransactionInstruction): void {
  expect(ours.program).toBe(theirs.programId.toBase58());
  expect(Buffer.from(ours.data).toString('hex')).toBe(theirs.data.toString('hex'));
  expect(ours.accounts.map((account) => ({ ...account }))).toEqual(
    theirs.keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      isSigner,
      isWritable,
    })),
  );
}

describe('a claim is, byte for byte and flag for flag, what the program’s own library encodes', () => {
  const bounds = { baseRaw: 123_456_789_012n, quoteRaw: (1n << 64n) - 1n };
  const amounts = [new BN('123456789012'), new BN('18446744073709551615')] as const;
  const wallet = key(claimant.wallet);

  test('the creator’s trading fee', async () => {
    const theirs = curveMethods
      .claimCreatorTradingFee(...amounts)
      .accountsStrict({ ...whole, creator: wallet });
    expectSame(claimTradingFee('creator', curve, claimant, bounds), await theirs.instruction());
  });

  test('the partner’s trading fee', async () => {
    const accounts = { ...whole, config: key(curve.config), feeClaimer: wallet };
    const theirs = curveMethods.claimTradingFee(...amounts).accountsStrict(accounts);
    expectSame(claimTradingFee('partner', curve, claimant, bounds), await theirs.instruction());
  });

  test('the surplus of both', async () => {
    const creators = curveMethods.creatorWithdrawSurplus().accountsStrict({ ...withdrawn, creator: wallet });
    expectSame(withdrawSurplus('creator', curve, claimant), await creators.instruction());
    const partners = curveMethods
      .partnerWithdrawSurplus()
      .accountsStrict({ ...withdrawn, feeClaimer: wallet });
    expectSame(withdrawSurplus('partner', curve, claimant), await partners.instruction());
  });

  test.each([
    ['partner', 0],
    ['creator', 1],
  ] as [CurveParty, number][])('the migration fee of the %s', async (party, flag) => {
    const theirs = curveMethods.withdrawMigrationFee(flag).accountsStrict({ ...withdrawn, sender: wallet });
    expectSame(withdrawMigrationFee(party, curve, claimant), await theirs.instruction());
  });

  test('the leftover, which nobody signs', async () => {
    const { virtualPool, config, poolAuthority, eventAuthority, program } = withdrawn;
    const theirs = curveMethods.withdrawLeftover().accountsStrict({
      virtualPool,
      config,
      poolAuthority,
      eventAuthority,
      program,
      tokenBaseAccount: whole.tokenAAccount,
      baseVault: whole.baseVault,
      baseMint: whole.baseMint,
      leftoverReceiver: wallet,
      tokenBaseProgram: whole.tokenBaseProgram,
    });
    expectSame(withdrawLeftover(curve, claimant), await theirs.instruction());
  });

  test('the fee of a position', async () => {
    const [a, b] = [
      { mint: addressOf('a'), vault: addressOf('vault_a'), tokenProgram: SPL_TOKEN },
      { mint: addressOf('b'), vault: addressOf('vault_b'), tokenProgram: TOKEN_2022 },
    ] as const;
    const position = {
      pool: addressOf('amm_pool'),
      position: addressOf('position'),
      nftAccount: addressOf('nft'),
    };
    const accounts = [claimant.baseAccount, claimant.quoteAccount] as const;
    const theirs = ammMethods.claimPositionFee().accountsStrict({
      ...authorities[DAMM_V2],
      pool: key(position.pool),
      position: key(position.position),
      tokenAAccount: key(accounts[0]),
      tokenBAccount: key(accounts[1]),
      tokenAVault: key(a.vault),
      tokenBVault: key(b.vault),
      tokenAMint: key(a.mint),
      tokenBMint: key(b.mint),
      positionNftAccount: key(position.nftAccount),
      signer: wallet,
      tokenAProgram: key(a.tokenProgram),
      tokenBProgram: key(b.tokenProgram),
    });
    const ours = claimPositionFee({ ...position, sides: [a, b] }, { wallet: claimant.wallet, accounts });
    expectSame(ours, await theirs.instruction());
  });
});

/** How each kind of the recordings is built again from the accounts that the compiled program executed with. */
const rebuilt: Readonly<Record<string, (accounts: readonly string[], data: Buffer) => Instruction>> = {
  curveCreatorFee: ([, pool, a, b, baseVault, quoteVault, baseMint, quoteMint, wallet, p, q], data) =>
    claimTradingFee(
      'creator',
      named({ pool, baseVault, quoteVault, baseMint, quoteMint, baseTokenProgram: p, quoteTokenProgram: q }),
      paid(wallet, a, b),
      { baseRaw: data.readBigUInt64LE(8), quoteRaw: data.readBigUInt64LE(16) },
    ),
  curvePartnerFee: (
    [, config, pool, a, b, baseVault, quoteVault, baseMint, quoteMint, wallet, p, q],
    data,
  ) => {
    const tokens = { baseTokenProgram: p, quoteTokenProgram: q };
    const facts = named({ config, pool, baseVault, quoteVault, baseMint, quoteMint, ...tokens });
    const bounds = { baseRaw: data.readBigUInt64LE(8), quoteRaw: data.readBigUInt64LE(16) };
    return claimTradingFee('partner', facts, paid(wallet, a, b), bounds);
  },
  curveCreatorSurplus: (accounts) => withdrawSurplus('creator', ...withdrawal(accounts)),
  curvePartnerSurplus: (accounts) => withdrawSurplus('partner', ...withdrawal(accounts)),
  curveMigrationFee: (accounts, data) =>
    withdrawMigrationFee(data[8] === 1 ? 'creator' : 'partner', ...withdrawal(accounts)),
  curveLeftover: ([, config, pool, baseAccount = '', baseVault, baseMint, wallet = '', p]) =>
    withdrawLeftover(named({ config, pool, baseVault, baseMint, baseTokenProgram: p }), {
      wallet,
      baseAccount,
    }),
  positionFee: ([, pool = '', position = '', a = '', b = '', ...rest]) => {
    const [vaultA = '', vaultB = '', mintA = '', mintB = '', nftAccount = '', wallet = '', p = '', q = ''] =
      rest;
    const sides = [
      { vault: vaultA, mint: mintA, tokenProgram: p },
      { vault: vaultB, mint: mintB, tokenProgram: q },
    ] as const;
    return claimPositionFee({ pool, position, nftAccount, sides }, { wallet, accounts: [a, b] });
  },
};

function named(given: { [Name in keyof typeof curve]?: string | undefined }): typeof curve {
  return { ...curve, ...given } as typeof curve;
}

function paid(wallet = '', baseAccount = '', quoteAccount = '') {
  return { wallet, baseAccount, quoteAccount };
}

function withdrawal([, config, pool, account, quoteVault, quoteMint, wallet, program]: readonly string[]) {
  const facts = named({ config, pool, quoteVault, quoteMint, quoteTokenProgram: program });
  return [facts, paid(wallet, undefined, account)] as const;
}

test('every recorded claim is built again as the compiled program executed it', () => {
  const seen = new Set<string>();
  for (const { steps } of readDammFixtures()) {
    for (const { transaction, expected } of steps) {
      for (const { kind, outerIndex } of expected.feeClaims ?? []) {
        const build = rebuilt[kind];
        if (build === undefined) continue;
        const recorded = readChainTransaction(transaction).instructions.find(
          (instruction) => instruction.outerIndex === outerIndex,
        );
        if (recorded === undefined) throw new Error('the claim is missing');
        const data = Buffer.from(bs58.decode(recorded.data));
        const ours = build(recorded.accounts, data);
        expect(ours.program).toBe(recorded.programAddress);
        expect(ours.accounts.map(({ address }) => address)).toEqual([...recorded.accounts]);
        expect(Buffer.from(ours.data)).toEqual(data);
        seen.add(kind);
      }
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(rebuilt).sort());
});
