import { expect, test } from 'bun:test';
import * as token from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { createParsedClient, extension, form, parsedOf } from '../support/chain/parsed-client.ts';

const { connection, payer, owner, run, shown, extensionsOf, createToken2022Account } =
  await createParsedClient();
const TOKEN_2022 = token.TOKEN_2022_PROGRAM_ID;
const { ExtensionType } = token;

test('metadata and groups in the mint itself: the actions of the token library show in instruction and state', async () => {
  const [mint, member] = [Keypair.generate(), Keypair.generate()];
  const at = mint.publicKey;
  const lastOf = async (signature: string) => {
    const { top } = await shown(signature);
    return top.map(parsedOf).at(-1);
  };
  const setUp = (made: Keypair, member: boolean) =>
    run(
      [
        createToken2022Account(
          made,
          token.getMintLen([
            ExtensionType.MetadataPointer,
            member ? ExtensionType.GroupMemberPointer : ExtensionType.GroupPointer,
          ]),
        ),
        token.createInitializeMetadataPointerInstruction(made.publicKey, owner, made.publicKey, TOKEN_2022),
        member
          ? token.createInitializeGroupMemberPointerInstruction(
              made.publicKey,
              owner,
              made.publicKey,
              TOKEN_2022,
            )
          : token.createInitializeGroupPointerInstruction(made.publicKey, owner, made.publicKey, TOKEN_2022),
        token.createInitializeMint2Instruction(made.publicKey, 0, owner, null, TOKEN_2022),
      ],
      made,
    );
  await setUp(mint, false);
  await setUp(member, true);
  const metadata = { metadata: at, updateAuthority: owner };
  const named = { name: 'Möwe', symbol: 'MWE', uri: 'https://x.test/m.json' };
  expect(
    await lastOf(
      await token.tokenMetadataInitializeWithRentTransfer(
        connection,
        payer,
        at,
        owner,
        payer,
        named.name,
        named.symbol,
        named.uri,
      ),
    ),
  ).toEqual(form('initializeTokenMetadata', { ...metadata, mint: at, mintAuthority: owner, ...named }));
  expect(
    await lastOf(
      await token.tokenMetadataUpdateFieldWithRentTransfer(connection, payer, at, payer, 'colour', 'white'),
    ),
  ).toEqual(form('updateTokenMetadataField', { ...metadata, field: 'colour', value: 'white' }));
  expect(
    await lastOf(
      await token.tokenMetadataUpdateFieldWithRentTransfer(connection, payer, at, payer, 'symbol', 'GULL'),
    ),
  ).toEqual(form('updateTokenMetadataField', { ...metadata, field: 'symbol', value: 'GULL' }));
  expect(
    await lastOf(
      await token.tokenGroupInitializeGroupWithRentTransfer(connection, payer, at, payer, owner, 3n),
    ),
  ).toEqual(
    form('initializeTokenGroup', {
      group: at,
      mint: at,
      mintAuthority: owner,
      updateAuthority: owner,
      maxSize: 3,
    }),
  );
  expect(await lastOf(await token.tokenGroupUpdateGroupMaxSize(connection, payer, at, payer, 4n))).toEqual(
    form('updateTokenGroupMaxSize', { group: at, updateAuthority: owner, maxSize: 4 }),
  );
  expect(
    await lastOf(
      await token.tokenGroupMemberInitializeWithRentTransfer(
        connection,
        payer,
        member.publicKey,
        payer,
        at,
        owner,
      ),
    ),
  ).toEqual(
    form('initializeTokenGroupMember', {
      member: member.publicKey,
      memberMint: member.publicKey,
      memberMintAuthority: owner,
      group: at,
      groupUpdateAuthority: owner,
    }),
  );
  expect(await extensionsOf(at)).toEqual([
    extension('metadataPointer', { authority: owner, metadataAddress: at }),
    extension('groupPointer', { authority: owner, groupAddress: at }),
    extension('tokenMetadata', {
      updateAuthority: owner,
      mint: at,
      ...named,
      symbol: 'GULL',
      additionalMetadata: [['colour', 'white']],
    }),
    extension('tokenGroup', { updateAuthority: owner, mint: at, size: 1, maxSize: 4 }),
  ]);
  expect(await extensionsOf(member.publicKey)).toContainEqual(
    extension('tokenGroupMember', { mint: member.publicKey, group: at, memberNumber: 1 }),
  );
  expect(
    await lastOf(await token.tokenMetadataRemoveKey(connection, payer, at, payer, 'colour', true)),
  ).toEqual(form('removeTokenMetadataKey', { ...metadata, key: 'colour', idempotent: true }));
  expect(
    await lastOf(await token.tokenGroupUpdateGroupAuthority(connection, payer, at, payer, null)),
  ).toEqual(form('updateTokenGroupAuthority', { group: at, updateAuthority: owner, newAuthority: null }));
  expect(await lastOf(await token.tokenMetadataUpdateAuthority(connection, payer, at, payer, null))).toEqual(
    form('updateTokenMetadataAuthority', { ...metadata, newAuthority: null }),
  );
});
