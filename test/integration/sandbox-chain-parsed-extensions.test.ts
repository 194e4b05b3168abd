import { expect, test } from 'bun:test';
import * as token from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { createParsedClient, extension, form, parsedOf } from '../support/chain/parsed-client.ts';

const { connection, payer, owner, run, instructionsOf, extensionsOf, createToken2022Account } =
  await createParsedClient();
const TOKEN_2022 = token.TOKEN_2022_PROGRAM_ID;
const { ExtensionType } = token;

test('the extensions of a launched token are shown with their states, and those of its accounts', async () => {
  const mint = Keypair.generate();
  const at = mint.publicKey;
  const types = [ExtensionType.MetadataPointer, ExtensionType.MintCloseAuthority];
  const setUp = await run(
    [
      createToken2022Account(mint, token.getMintLen(types)),
      token.createInitializeMetadataPointerInstruction(at, owner, at, TOKEN_2022),
      token.createInitializeMintCloseAuthorityInstruction(at, owner, TOKEN_2022),
      token.createInitializeMint2Instruction(at, 0, owner, null, TOKEN_2022),
    ],
    mint,
  );
  // Instructions of extensions stay as they are.
  expect((await instructionsOf(setUp)).top.slice(1).map(parsedOf)).toEqual([
    'partially decoded',
    'partially decoded',
    form('initializeMint2', { mint: at, decimals: 0, mintAuthority: owner }),
  ]);
  const named = { name: 'Möwe', symbol: 'MWE', uri: 'https://x.test/m.json' };
  await token.tokenMetadataInitializeWithRentTransfer(
    connection,
    payer,
    at,
    owner,
    payer,
    named.name,
    named.symbol,
    named.uri,
  );
  await token.tokenMetadataUpdateFieldWithRentTransfer(connection, payer, at, payer, 'colour', 'white');
  const account = token.getAssociatedTokenAddressSync(at, owner, false, TOKEN_2022);
  await run([token.createAssociatedTokenAccountInstruction(owner, account, owner, at, TOKEN_2022)]);
  expect(await extensionsOf(at)).toEqual([
    extension('metadataPointer', { authority: owner, metadataAddress: at }),
    extension('mintCloseAuthority', { closeAuthority: owner }),
    extension('tokenMetadata', {
      updateAuthority: owner,
      mint: at,
      ...named,
      additionalMetadata: [['colour', 'white']],
    }),
  ]);
  expect(await extensionsOf(account)).toEqual([extension('immutableOwner')]);
});

test('an extension that no launched token has is named as one that is not parsed', async () => {
  const mint = Keypair.generate();
  const at = mint.publicKey;
  await run(
    [
      createToken2022Account(
        mint,
        token.getMintLen([ExtensionType.TransferFeeConfig, ExtensionType.MintCloseAuthority]),
      ),
      token.createInitializeTransferFeeConfigInstruction(at, owner, null, 50, 5_000n, TOKEN_2022),
      token.createInitializeMintCloseAuthorityInstruction(at, owner, TOKEN_2022),
      token.createInitializeMint2Instruction(at, 2, owner, owner, TOKEN_2022),
    ],
    mint,
  );
  expect(await extensionsOf(at)).toEqual([
    extension('unparseableExtension'),
    extension('mintCloseAuthority', { closeAuthority: owner }),
  ]);
});
