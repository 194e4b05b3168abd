import { expect, test } from 'bun:test';
import * as token from '@solana/spl-token';
import { Keypair, type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { createParsedClient, extension, form, twoDecimals } from '../support/chain/parsed-client.ts';

const { owner, run, parsed, parsedAnyway, extensionsOf, createToken2022Account } = await createParsedClient();
const TOKEN_2022 = token.TOKEN_2022_PROGRAM_ID;
const { ExtensionType } = token;

/** An instruction for which the token library has no function. */
function bare(keys: readonly PublicKey[], data: readonly number[]): TransactionInstruction {
  return new TransactionInstruction({
    programId: TOKEN_2022,
    keys: keys.map((pubkey) => ({ pubkey, isSigner: pubkey === owner, isWritable: true })),
    data: Buffer.from(data),
  });
}

test('a mint with extensions: each initialisation, each change, and the state of each is shown', async () => {
  const mint = Keypair.generate();
  const at = mint.publicKey;
  const [hook, next] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
  const types = [
    ExtensionType.TransferFeeConfig,
    ExtensionType.MintCloseAuthority,
    ExtensionType.DefaultAccountState,
    ExtensionType.InterestBearingConfig,
    ExtensionType.PermanentDelegate,
    ExtensionType.TransferHook,
    ExtensionType.MetadataPointer,
    ExtensionType.GroupPointer,
    ExtensionType.GroupMemberPointer,
    ExtensionType.PausableConfig,
  ];
  const [, ...initialised] = await parsed(
    [
      createToken2022Account(mint, token.getMintLen(types)),
      token.createInitializeTransferFeeConfigInstruction(at, owner, null, 50, 5_000n, TOKEN_2022),
      token.createInitializeMintCloseAuthorityInstruction(at, owner, TOKEN_2022),
      token.createInitializeDefaultAccountStateInstruction(at, token.AccountState.Frozen, TOKEN_2022),
      token.createInitializeInterestBearingMintInstruction(at, owner, 500, TOKEN_2022),
      token.createInitializePermanentDelegateInstruction(at, next, TOKEN_2022),
      token.createInitializeTransferHookInstruction(at, owner, hook, TOKEN_2022),
      token.createInitializeMetadataPointerInstruction(at, owner, at, TOKEN_2022),
      token.createInitializeGroupPointerInstruction(at, owner, at, TOKEN_2022),
      token.createInitializeGroupMemberPointerInstruction(at, owner, null, TOKEN_2022),
      token.createInitializePausableConfigInstruction(at, owner, TOKEN_2022),
      token.createInitializeMint2Instruction(at, 2, owner, owner, TOKEN_2022),
    ],
    mint,
  );
  expect(initialised).toEqual([
    form('initializeTransferFeeConfig', {
      mint: at,
      transferFeeConfigAuthority: owner,
      transferFeeBasisPoints: 50,
      maximumFee: 5_000,
    }),
    form('initializeMintCloseAuthority', { mint: at, newAuthority: owner }),
    form('initializeDefaultAccountState', { mint: at, accountState: 'frozen' }),
    form('initializeInterestBearingConfig', { mint: at, rateAuthority: owner, rate: 500 }),
    form('initializePermanentDelegate', { mint: at, delegate: next }),
    form('initializeTransferHook', { mint: at, authority: owner, programId: hook }),
    form('initializeMetadataPointer', { mint: at, authority: owner, metadataAddress: at }),
    form('initializeGroupPointer', { mint: at, authority: owner, groupAddress: at }),
    form('initializeGroupMemberPointer', { mint: at, authority: owner }),
    form('initializePausableConfig', { mint: at, authority: owner }),
    form('initializeMint2', { mint: at, decimals: 2, mintAuthority: owner, freezeAuthority: owner }),
  ]);
  expect(
    await parsed([
      token.createSetTransferFeeInstruction(at, owner, [], 60, 6_000n, TOKEN_2022),
      token.createUpdateDefaultAccountStateInstruction(
        at,
        token.AccountState.Initialized,
        owner,
        [],
        TOKEN_2022,
      ),
      token.createUpdateRateInterestBearingMintInstruction(at, owner, -25, [], TOKEN_2022),
      token.createUpdateTransferHookInstruction(at, owner, next, [], TOKEN_2022),
      token.createUpdateMetadataPointerInstruction(at, owner, null, [], TOKEN_2022),
      token.createUpdateGroupPointerInstruction(at, owner, at, [], TOKEN_2022),
      token.createUpdateGroupMemberPointerInstruction(at, owner, at, [], TOKEN_2022),
      token.createPauseInstruction(at, owner, [], TOKEN_2022),
      token.createResumeInstruction(at, owner, [], TOKEN_2022),
      token.createSetAuthorityInstruction(at, owner, token.AuthorityType.CloseMint, null, [], TOKEN_2022),
    ]),
  ).toEqual([
    form('setTransferFee', {
      mint: at,
      transferFeeConfigAuthority: owner,
      transferFeeBasisPoints: 60,
      maximumFee: 6_000,
    }),
    form('updateDefaultAccountState', { mint: at, freezeAuthority: owner, accountState: 'initialized' }),
    // The library names the authority a second time, so it looks like a multisig to a node too.
    form('updateInterestBearingConfigRate', {
      mint: at,
      multisigRateAuthority: owner,
      signers: [owner.toBase58()],
      newRate: -25,
    }),
    form('updateTransferHook', { mint: at, authority: owner, programId: next }),
    form('updateMetadataPointer', { mint: at, authority: owner }),
    form('updateGroupPointer', { mint: at, authority: owner, groupAddress: at }),
    form('updateGroupMemberPointer', { mint: at, authority: owner, memberAddress: at }),
    form('pause', { mint: at, authority: owner }),
    form('resume', { mint: at, authority: owner }),
    form('setAuthority', { mint: at, authority: owner, authorityType: 'closeMint', newAuthority: null }),
  ]);
  expect(await extensionsOf(at)).toEqual([
    extension('transferFeeConfig', {
      transferFeeConfigAuthority: owner,
      withdrawWithheldAuthority: null,
      withheldAmount: 0,
      olderTransferFee: { epoch: 0, maximumFee: 5_000, transferFeeBasisPoints: 50 },
      newerTransferFee: { epoch: 2, maximumFee: 6_000, transferFeeBasisPoints: 60 },
    }),
    extension('mintCloseAuthority', { closeAuthority: null }),
    extension('defaultAccountState', { accountState: 'initialized' }),
    extension('interestBearingConfig', {
      rateAuthority: owner,
      initializationTimestamp: expect.any(Number),
      preUpdateAverageRate: 500,
      lastUpdateTimestamp: expect.any(Number),
      currentRate: -25,
    }),
    extension('permanentDelegate', { delegate: next }),
    extension('transferHook', { authority: owner, programId: next }),
    extension('metadataPointer', { authority: owner, metadataAddress: null }),
    extension('groupPointer', { authority: owner, groupAddress: at }),
    extension('groupMemberPointer', { authority: owner, memberAddress: at }),
    extension('pausableConfig', { authority: owner, paused: false }),
  ]);
});

test('transfer fees are shown from the transfer over the harvest to the withdrawal', async () => {
  const [mint, signer] = [Keypair.generate(), Keypair.generate()];
  const at = mint.publicKey;
  const other = Keypair.generate().publicKey;
  const [from, to] = [owner, other].map((wallet) =>
    token.getAssociatedTokenAddressSync(at, wallet, false, TOKEN_2022),
  ) as [PublicKey, PublicKey];
  await run(
    [
      createToken2022Account(mint, token.getMintLen([ExtensionType.TransferFeeConfig])),
      token.createInitializeTransferFeeConfigInstruction(at, owner, owner, 100, 10n ** 12n, TOKEN_2022),
      token.createInitializeMint2Instruction(at, 2, owner, null, TOKEN_2022),
      token.createAssociatedTokenAccountInstruction(owner, from, owner, at, TOKEN_2022),
      token.createAssociatedTokenAccountInstruction(owner, to, other, at, TOKEN_2022),
      token.createMintToInstruction(at, from, owner, 100_000n, [], TOKEN_2022),
    ],
    mint,
  );
  expect(
    await parsed([
      token.createTransferCheckedWithFeeInstruction(from, at, to, owner, 10_000n, 2, 100n, [], TOKEN_2022),
    ]),
  ).toEqual([
    form('transferCheckedWithFee', {
      source: from,
      mint: at,
      destination: to,
      authority: owner,
      tokenAmount: twoDecimals('10000', 100),
      feeAmount: twoDecimals('100', 1),
    }),
  ]);
  expect(await extensionsOf(to)).toEqual([
    extension('immutableOwner'),
    extension('transferFeeAmount', { withheldAmount: 100 }),
  ]);
  expect(
    await parsed([
      token.createHarvestWithheldTokensToMintInstruction(at, [to], TOKEN_2022),
      token.createWithdrawWithheldTokensFromMintInstruction(at, from, owner, [], TOKEN_2022),
      token.createWithdrawWithheldTokensFromAccountsInstruction(at, from, owner, [], [to, from], TOKEN_2022),
    ]),
  ).toEqual([
    form('harvestWithheldTokensToMint', { mint: at, sourceAccounts: [to.toBase58()] }),
    form('withdrawWithheldTokensFromMint', {
      mint: at,
      feeRecipient: from,
      withdrawWithheldAuthority: owner,
    }),
    form('withdrawWithheldTokensFromAccounts', {
      mint: at,
      feeRecipient: from,
      withdrawWithheldAuthority: owner,
      sourceAccounts: [to.toBase58(), from.toBase58()],
    }),
  ]);
  const signers = [signer.publicKey.toBase58()];
  expect(
    await parsedAnyway(
      [
        token.createWithdrawWithheldTokensFromAccountsInstruction(
          at,
          from,
          other,
          [signer],
          [to],
          TOKEN_2022,
        ),
        token.createSetTransferFeeInstruction(at, other, [signer], 1, 2n, TOKEN_2022),
      ],
      signer,
    ),
  ).toEqual([
    form('withdrawWithheldTokensFromAccounts', {
      mint: at,
      feeRecipient: from,
      multisigWithdrawWithheldAuthority: other,
      signers,
      sourceAccounts: [to.toBase58()],
    }),
    form('setTransferFee', {
      mint: at,
      multisigtransferFeeConfigAuthority: other,
      signers,
      transferFeeBasisPoints: 1,
      maximumFee: 2,
    }),
  ]);
});

test("extensions of accounts: room is added, their owner's switches show in instruction and state", async () => {
  const [mint, account] = [Keypair.generate(), Keypair.generate()];
  const [at, held] = [mint.publicKey, account.publicKey];
  const types = [ExtensionType.NonTransferable, ExtensionType.PausableConfig];
  await run(
    [
      createToken2022Account(mint, token.getMintLen(types)),
      token.createInitializeNonTransferableMintInstruction(at, TOKEN_2022),
      token.createInitializePausableConfigInstruction(at, owner, TOKEN_2022),
      token.createInitializeMint2Instruction(at, 2, owner, null, TOKEN_2022),
      createToken2022Account(
        account,
        token.getAccountLen([
          ExtensionType.ImmutableOwner,
          ExtensionType.NonTransferableAccount,
          ExtensionType.PausableAccount,
        ]),
      ),
      token.createInitializeImmutableOwnerInstruction(held, TOKEN_2022),
      token.createInitializeAccount3Instruction(held, at, owner, TOKEN_2022),
    ],
    mint,
    account,
  );
  expect(
    await parsed([
      token.createReallocateInstruction(
        held,
        owner,
        [ExtensionType.MemoTransfer, ExtensionType.CpiGuard],
        owner,
        [],
        TOKEN_2022,
      ),
      token.createEnableRequiredMemoTransfersInstruction(held, owner, [], TOKEN_2022),
      token.createEnableCpiGuardInstruction(held, owner, [], TOKEN_2022),
      token.createDisableCpiGuardInstruction(held, owner, [], TOKEN_2022),
    ]),
  ).toEqual([
    form('reallocate', {
      account: held,
      payer: owner,
      systemProgram: SystemProgram.programId,
      owner,
      extensionTypes: ['memoTransfer', 'cpiGuard'],
    }),
    form('enableRequiredMemoTransfers', { account: held, owner }),
    form('enableCpiGuard', { account: held, owner }),
    form('disableCpiGuard', { account: held, owner }),
  ]);
  expect(await extensionsOf(held)).toEqual(
    expect.arrayContaining([
      extension('immutableOwner'),
      extension('nonTransferableAccount'),
      extension('pausableAccount'),
      extension('memoTransfer', { requireIncomingTransferMemos: true }),
      extension('cpiGuard', { lockCpi: false }),
    ]),
  );
  expect(await extensionsOf(at)).toEqual([
    extension('nonTransferable'),
    extension('pausableConfig', { authority: owner, paused: false }),
  ]);
  const burn = { account: held, mint: at, permissionedBurnAuthority: owner, authority: owner };
  expect(
    await parsedAnyway([
      token.createDisableRequiredMemoTransfersInstruction(held, owner, [], TOKEN_2022),
      token.createInitializeNonTransferableMintInstruction(at, TOKEN_2022),
      token.createCreateNativeMintInstruction(owner, token.NATIVE_MINT_2022, TOKEN_2022),
      bare([at], [46, 0, ...owner.toBytes()]),
      bare([held, at, owner, owner], [46, 1, 9, 0, 0, 0, 0, 0, 0, 0]),
      bare([held, at, owner, owner], [46, 2, 9, 0, 0, 0, 0, 0, 0, 0, 2]),
    ]),
  ).toEqual([
    form('disableRequiredMemoTransfers', { account: held, owner }),
    form('initializeNonTransferableMint', { mint: at }),
    form('createNativeMint', {
      payer: owner,
      nativeMint: token.NATIVE_MINT_2022,
      systemProgram: SystemProgram.programId,
    }),
    form('initializePermissionedBurnConfig', { mint: at, authority: owner }),
    form('permissionedBurn', { ...burn, amount: '9' }),
    form('permissionedBurnChecked', { ...burn, tokenAmount: twoDecimals('9', 0.09) }),
  ]);
});

test('a confidential mint shows its state, and its instructions stay partially decoded', async () => {
  const mint = Keypair.generate();
  const at = mint.publicKey;
  const auditor = new Uint8Array(32).fill(7);
  const [, initialised] = await parsed(
    [
      createToken2022Account(mint, token.getMintLen([ExtensionType.ConfidentialTransferMint])),
      bare([at], [27, 0, ...owner.toBytes(), 1, ...auditor]),
      token.createInitializeMint2Instruction(at, 2, owner, null, TOKEN_2022),
    ],
    mint,
  );
  expect(initialised).toBe('partially decoded');
  expect(await extensionsOf(at)).toEqual([
    extension('confidentialTransferMint', {
      authority: owner,
      autoApproveNewAccounts: true,
      auditorElgamalPubkey: Buffer.from(auditor).toString('base64'),
    }),
  ]);
});
