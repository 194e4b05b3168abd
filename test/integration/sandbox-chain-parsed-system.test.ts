import { expect, test } from 'bun:test';
import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import {
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import { createParsedClient, form } from '../support/chain/parsed-client.ts';

const { connection, payer, parsed, parsedAnyway } = await createParsedClient();
const fresh = () => Keypair.generate();

test('every ordinary instruction of the system program is shown as a node shows it', async () => {
  const [created, assigned, receiver, nonce, next] = [fresh(), fresh(), fresh(), fresh(), fresh()];
  const owner = TOKEN_PROGRAM_ID;
  const seeded = await PublicKey.createWithSeed(payer.publicKey, 'seed', owner);
  const source = payer.publicKey;
  const rent = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
  expect(
    await parsed(
      [
        SystemProgram.createAccount({
          fromPubkey: source,
          newAccountPubkey: created.publicKey,
          lamports: 2_000_000,
          space: 9,
          programId: owner,
        }),
        SystemProgram.transfer({
          fromPubkey: source,
          toPubkey: receiver.publicKey,
          lamports: LAMPORTS_PER_SOL,
        }),
        SystemProgram.transfer({ fromPubkey: source, toPubkey: assigned.publicKey, lamports: 3_000_000 }),
        SystemProgram.allocate({ accountPubkey: assigned.publicKey, space: 7 }),
        SystemProgram.assign({ accountPubkey: assigned.publicKey, programId: owner }),
        SystemProgram.createAccountWithSeed({
          fromPubkey: source,
          newAccountPubkey: seeded,
          basePubkey: source,
          seed: 'seed',
          lamports: 2_000_000,
          space: 5,
          programId: owner,
        }),
      ],
      created,
      assigned,
    ),
  ).toEqual([
    form('createAccount', { source, newAccount: created.publicKey, lamports: 2_000_000, space: 9, owner }),
    form('transfer', { source, destination: receiver.publicKey, lamports: LAMPORTS_PER_SOL }),
    form('transfer', { source, destination: assigned.publicKey, lamports: 3_000_000 }),
    form('allocate', { account: assigned.publicKey, space: 7 }),
    form('assign', { account: assigned.publicKey, owner }),
    form('createAccountWithSeed', {
      source,
      newAccount: seeded,
      base: source,
      seed: 'seed',
      lamports: 2_000_000,
      space: 5,
      owner,
    }),
  ]);
  expect(
    await parsed(
      [
        ...SystemProgram.createNonceAccount({
          fromPubkey: source,
          noncePubkey: nonce.publicKey,
          authorizedPubkey: source,
          lamports: rent,
        }).instructions,
        SystemProgram.nonceAuthorize({
          noncePubkey: nonce.publicKey,
          authorizedPubkey: source,
          newAuthorizedPubkey: next.publicKey,
        }),
      ],
      nonce,
    ),
  ).toEqual([
    form('createAccount', {
      source,
      newAccount: nonce.publicKey,
      lamports: rent,
      space: NONCE_ACCOUNT_LENGTH,
      owner: SystemProgram.programId,
    }),
    form('initializeNonce', {
      nonceAccount: nonce.publicKey,
      recentBlockhashesSysvar: SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
      rentSysvar: SYSVAR_RENT_PUBKEY,
      nonceAuthority: source,
    }),
    form('authorizeNonce', {
      nonceAccount: nonce.publicKey,
      nonceAuthority: source,
      newAuthorized: next.publicKey,
    }),
  ]);
  const { value } = await connection.getNonceAndContext(nonce.publicKey);
  expect((await connection.getParsedAccountInfo(nonce.publicKey)).value?.data).toEqual({
    program: 'nonce',
    parsed: form('initialized', {
      authority: next.publicKey,
      blockhash: value?.nonce,
      feeCalculator: { lamportsPerSignature: '5000' },
    }),
    space: NONCE_ACCOUNT_LENGTH,
  });
});

test('a failed transaction shows its instructions parsed too, seeds and nonces included', async () => {
  const [account, base, nonce] = [fresh().publicKey, payer.publicKey, fresh().publicKey];
  const owner = SystemProgram.programId;
  const lamports = 5;
  expect(
    await parsedAnyway([
      SystemProgram.transfer({
        fromPubkey: account,
        basePubkey: base,
        toPubkey: nonce,
        lamports,
        seed: 's',
        programId: owner,
      }),
      SystemProgram.allocate({
        accountPubkey: account,
        basePubkey: base,
        seed: 's',
        space: 4,
        programId: owner,
      }),
      SystemProgram.assign({ accountPubkey: account, basePubkey: base, seed: 's', programId: owner }),
      SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: base }),
      SystemProgram.nonceWithdraw({
        noncePubkey: nonce,
        authorizedPubkey: base,
        toPubkey: account,
        lamports,
      }),
      new TransactionInstruction({
        programId: owner,
        keys: [{ pubkey: nonce, isSigner: false, isWritable: true }],
        data: Buffer.from([12, 0, 0, 0]),
      }),
    ]),
  ).toEqual([
    form('transferWithSeed', {
      source: account,
      sourceBase: base,
      destination: nonce,
      lamports,
      sourceSeed: 's',
      sourceOwner: owner,
    }),
    form('allocateWithSeed', { account, base, seed: 's', space: 4, owner }),
    form('assignWithSeed', { account, base, seed: 's', owner }),
    form('advanceNonce', {
      nonceAccount: nonce,
      recentBlockhashesSysvar: SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
      nonceAuthority: base,
    }),
    form('withdrawFromNonce', {
      nonceAccount: nonce,
      destination: account,
      recentBlockhashesSysvar: SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
      rentSysvar: SYSVAR_RENT_PUBKEY,
      nonceAuthority: base,
      lamports,
    }),
    form('upgradeNonce', { nonceAccount: nonce }),
  ]);
});
