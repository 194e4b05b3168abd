import { expect, test } from 'bun:test';
import * as token from '@solana/spl-token';
import {
  Keypair,
  type PublicKey,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import { createParsedClient, form, twoDecimals } from '../support/chain/parsed-client.ts';

const { connection, owner, run, instructionsOf, parsed, parsedAnyway } = await createParsedClient();

function create(account: Keypair, space: number, program: PublicKey): TransactionInstruction {
  return SystemProgram.createAccount({
    fromPubkey: owner,
    newAccountPubkey: account.publicKey,
    lamports: 10_000_000,
    space,
    programId: program,
  });
}

for (const [name, program] of [
  ['spl-token', token.TOKEN_PROGRAM_ID],
  ['spl-token-2022', token.TOKEN_2022_PROGRAM_ID],
] as const) {
  test(`${name}: every ordinary instruction is shown as a node shows it`, async () => {
    const [mint, first, second, multisig, signer, other] = Array.from({ length: 6 }, () =>
      Keypair.generate(),
    ) as [Keypair, Keypair, Keypair, Keypair, Keypair, Keypair];
    const [mintKey, from, to, multi] = [
      mint.publicKey,
      first.publicKey,
      second.publicKey,
      multisig.publicKey,
    ];
    const delegate = other.publicKey;
    const setUp = await run(
      [
        create(mint, token.MINT_SIZE, program),
        create(first, token.ACCOUNT_SIZE, program),
        create(second, token.ACCOUNT_SIZE, program),
        create(multisig, token.MULTISIG_SIZE, program),
        token.createInitializeMintInstruction(mintKey, 2, owner, owner, program),
        token.createInitializeAccountInstruction(from, mintKey, owner, program),
        token.createInitializeAccount3Instruction(to, mintKey, delegate, program),
        token.createInitializeMultisigInstruction(multi, [signer, other], 2, program),
      ],
      mint,
      first,
      second,
      multisig,
    );
    const { top } = await instructionsOf(setUp);
    expect(top.slice(4)).toEqual(
      [
        form('initializeMint', {
          mint: mintKey,
          decimals: 2,
          mintAuthority: owner,
          freezeAuthority: owner,
          rentSysvar: SYSVAR_RENT_PUBKEY,
        }),
        form('initializeAccount', { account: from, mint: mintKey, owner, rentSysvar: SYSVAR_RENT_PUBKEY }),
        form('initializeAccount3', { account: to, mint: mintKey, owner: delegate }),
        form('initializeMultisig', {
          multisig: multi,
          rentSysvar: SYSVAR_RENT_PUBKEY,
          signers: [signer.publicKey.toBase58(), delegate.toBase58()],
          m: 2,
        }),
        // In instructions both programs go by one name, as on a node.
      ].map((form) => ({ program: 'spl-token', programId: program, parsed: form, stackHeight: 1 })) as never,
    );
    expect(
      await parsed([
        token.createMintToInstruction(mintKey, from, owner, 900n, [], program),
        token.createMintToCheckedInstruction(mintKey, from, owner, 100n, 2, [], program),
        token.createTransferInstruction(from, to, owner, 10n, [], program),
        token.createTransferCheckedInstruction(from, mintKey, to, owner, 150n, 2, [], program),
        token.createApproveInstruction(from, delegate, owner, 7n, [], program),
        token.createApproveCheckedInstruction(from, mintKey, delegate, owner, 8n, 2, [], program),
        token.createRevokeInstruction(from, owner, [], program),
        token.createBurnInstruction(from, mintKey, owner, 1n, [], program),
        token.createBurnCheckedInstruction(from, mintKey, owner, 2n, 2, [], program),
        token.createFreezeAccountInstruction(from, mintKey, owner, [], program),
        token.createThawAccountInstruction(from, mintKey, owner, [], program),
        token.createSetAuthorityInstruction(
          mintKey,
          owner,
          token.AuthorityType.FreezeAccount,
          null,
          [],
          program,
        ),
        token.createSetAuthorityInstruction(
          from,
          owner,
          token.AuthorityType.AccountOwner,
          multi,
          [],
          program,
        ),
      ]),
    ).toEqual([
      form('mintTo', { mint: mintKey, account: from, mintAuthority: owner, amount: '900' }),
      form('mintToChecked', {
        mint: mintKey,
        account: from,
        mintAuthority: owner,
        tokenAmount: twoDecimals('100', 1),
      }),
      form('transfer', { source: from, destination: to, authority: owner, amount: '10' }),
      form('transferChecked', {
        source: from,
        mint: mintKey,
        destination: to,
        authority: owner,
        tokenAmount: twoDecimals('150', 1.5),
      }),
      form('approve', { source: from, delegate, owner, amount: '7' }),
      form('approveChecked', {
        source: from,
        mint: mintKey,
        delegate,
        owner,
        tokenAmount: twoDecimals('8', 0.08),
      }),
      form('revoke', { source: from, owner }),
      form('burn', { account: from, mint: mintKey, authority: owner, amount: '1' }),
      form('burnChecked', {
        account: from,
        mint: mintKey,
        authority: owner,
        tokenAmount: twoDecimals('2', 0.02),
      }),
      form('freezeAccount', { account: from, mint: mintKey, freezeAuthority: owner }),
      form('thawAccount', { account: from, mint: mintKey, freezeAuthority: owner }),
      form('setAuthority', {
        mint: mintKey,
        authority: owner,
        authorityType: 'freezeAccount',
        newAuthority: null,
      }),
      form('setAuthority', {
        account: from,
        authority: owner,
        authorityType: 'accountOwner',
        newAuthority: multi,
      }),
    ]);
    const signers = [signer.publicKey.toBase58(), delegate.toBase58()];
    expect(
      await parsed(
        [
          token.createTransferInstruction(from, to, multi, 837n, [signer, other], program),
          token.createCloseAccountInstruction(from, owner, multi, [signer, other], program),
        ],
        signer,
        other,
      ),
    ).toEqual([
      form('transfer', { source: from, destination: to, multisigAuthority: multi, signers, amount: '837' }),
      form('closeAccount', { account: from, destination: owner, multisigOwner: multi, signers }),
    ]);
    expect((await connection.getParsedAccountInfo(multi)).value?.data).toEqual({
      program: name,
      space: token.MULTISIG_SIZE,
      parsed: {
        type: 'multisig',
        info: { isInitialized: true, numRequiredSigners: 2, numValidSigners: 2, signers },
      },
    });
    expect((await connection.getParsedAccountInfo(to)).value?.data).toEqual({
      program: name,
      space: token.ACCOUNT_SIZE,
      parsed: form('account', {
        isNative: false,
        mint: mintKey,
        owner: delegate,
        state: 'initialized',
        tokenAmount: twoDecimals('997', 9.97),
      }),
    });
  });

  test(`${name}: the rarer instructions are parsed, successful or not`, async () => {
    const [mint, account, multisig] = [
      Keypair.generate().publicKey,
      Keypair.generate().publicKey,
      Keypair.generate().publicKey,
    ];
    const bare = (keys: readonly PublicKey[], data: Uint8Array) =>
      new TransactionInstruction({
        programId: program,
        keys: keys.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
        data: Buffer.from(data),
      });
    const key = owner.toBytes();
    const transfer = [3, 5, 0, 0, 0, 0, 0, 0, 0];
    expect(
      await parsedAnyway([
        token.createInitializeAccount2Instruction(account, mint, owner, program),
        bare([multisig, account], Uint8Array.from([19, 1])),
        token.createInitializeMint2Instruction(mint, 6, owner, null, program),
        token.createSyncNativeInstruction(account, program),
        bare([mint], Uint8Array.from([21])),
        token.createInitializeImmutableOwnerInstruction(account, program),
        token.createAmountToUiAmountInstruction(mint, 5n, program),
        token.createUiAmountToAmountInstruction(mint, '0.5', program),
      ]),
    ).toEqual([
      form('initializeAccount2', { account, mint, owner, rentSysvar: SYSVAR_RENT_PUBKEY }),
      form('initializeMultisig2', { multisig, signers: [account.toBase58()], m: 1 }),
      form('initializeMint2', { mint, decimals: 6, mintAuthority: owner }),
      form('syncNative', { account }),
      form('getAccountDataSize', { mint }),
      form('initializeImmutableOwner', { account }),
      form('amountToUiAmount', { mint, amount: '5' }),
      form('uiAmountToAmount', { mint, uiAmount: '0.5' }),
    ]);
    const tooShort = bare([account, multisig, owner], Uint8Array.from([3, 5, 0]));
    const tooFew = bare([account, multisig], Uint8Array.from(transfer));
    const batch = bare([account, multisig, owner], Uint8Array.from([255, 3, 9, ...transfer]));
    const badType = bare([account, owner], Uint8Array.from([6, 99, 1, ...key]));
    expect(await parsedAnyway([tooShort, tooFew, batch, badType])).toEqual(
      new Array(4).fill('partially decoded'),
    );
  });
}
