import { expect, test } from 'bun:test';
import * as token from '@solana/spl-token';
import { Keypair, type PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { createParsedClient, extension, form } from '../support/chain/parsed-client.ts';

const { chain, connection, owner, run, parsed, extensionsOf, createToken2022Account } =
  await createParsedClient();
const TOKEN_2022 = token.TOKEN_2022_PROGRAM_ID;
const { ExtensionType } = token;

test('amounts of scaled and interest-bearing mints are shown as the token program itself computes them', async () => {
  const [scaled, bearing] = [Keypair.generate(), Keypair.generate()];
  const [, first] = await parsed(
    [
      createToken2022Account(scaled, token.getMintLen([ExtensionType.ScaledUiAmountConfig])),
      token.createInitializeScaledUiAmountConfigInstruction(scaled.publicKey, owner, 1.25, TOKEN_2022),
      token.createInitializeMint2Instruction(scaled.publicKey, 2, owner, null, TOKEN_2022),
    ],
    scaled,
  );
  expect(first).toEqual(
    form('initializeScaledUiAmountConfig', {
      mint: scaled.publicKey,
      authority: owner,
      multiplier: '1.25',
    }),
  );
  expect(
    await parsed([
      token.createUpdateMultiplierDataInstruction(
        scaled.publicKey,
        owner,
        1e-7,
        4_000_000_000n,
        [],
        TOKEN_2022,
      ),
    ]),
  ).toEqual([
    form('updateMultiplier', {
      mint: scaled.publicKey,
      authority: owner,
      newMultiplier: '0.0000001',
      newMultiplierTimestamp: 4_000_000_000,
    }),
  ]);
  expect(await extensionsOf(scaled.publicKey)).toEqual([
    extension('scaledUiAmountConfig', {
      authority: owner,
      multiplier: '1.25',
      newMultiplierEffectiveTimestamp: 4_000_000_000,
      newMultiplier: '0.0000001',
    }),
  ]);
  await run(
    [
      createToken2022Account(bearing, token.getMintLen([ExtensionType.InterestBearingConfig])),
      token.createInitializeInterestBearingMintInstruction(bearing.publicKey, owner, 32_000, TOKEN_2022),
      token.createInitializeMint2Instruction(bearing.publicKey, 2, owner, null, TOKEN_2022),
    ],
    bearing,
  );
  for (const { publicKey: mint } of [scaled, bearing]) {
    const account = token.getAssociatedTokenAddressSync(mint, owner, false, TOKEN_2022);
    await run([
      token.createAssociatedTokenAccountInstruction(owner, account, owner, mint, TOKEN_2022),
      token.createMintToInstruction(mint, account, owner, 123_456_789_012_347n, [], TOKEN_2022),
    ]);
    if (mint === bearing.publicKey) backdate(mint);
    // Both are read at one slot: interest grows with the clock.
    const [asked, balance, data] = await atOneSlot(mint, account);
    expect(balance.uiAmountString).toBe(asked);
    expect(balance).toMatchObject({ amount: '123456789012347', decimals: 2, uiAmount: Number(asked) });
    expect(data.tokenAmount).toEqual(balance);
  }
});

/** Lets a mint have borne interest for a year, at a first rate for half of it. */
function backdate(mint: PublicKey): void {
  const account = chain.ledger.vm.getAccount(mint.toBase58());
  if (account === null) throw new Error('no mint');
  const data = Uint8Array.from(account.data);
  const state = new DataView(data.buffer, 166 + 4 + 32);
  const now = state.getBigInt64(0, true);
  state.setBigInt64(0, now - 31_536_000n, true);
  state.setInt16(8, 700, true);
  state.setBigInt64(10, now - 15_768_000n, true);
  chain.ledger.setAccount(mint.toBase58(), { ...account, data });
}

interface ShownAmount {
  readonly amount: string;
  readonly uiAmount: number | null;
  readonly uiAmountString?: string;
}

/** What the program itself answers for the balance of an account, and what two methods show, within one second. */
async function atOneSlot(
  mint: PublicKey,
  account: PublicKey,
): Promise<[string, ShownAmount, { tokenAmount: ShownAmount }]> {
  const ask = token.createAmountToUiAmountInstruction(mint, 123_456_789_012_347n, TOKEN_2022);
  for (;;) {
    const before = await connection.getBlockTime(await connection.getSlot('processed'));
    const { blockhash } = await connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: owner,
      recentBlockhash: blockhash,
      instructions: [ask],
    });
    const simulated = await connection.simulateTransaction(
      new VersionedTransaction(message.compileToV0Message()),
    );
    const balance = (await connection.getTokenAccountBalance(account, 'processed')).value;
    const info = (await connection.getParsedAccountInfo(account, 'processed')).value?.data;
    const after = await connection.getBlockTime(await connection.getSlot('processed'));
    if (before !== after || info === undefined || !('parsed' in info)) continue;
    const returned = simulated.value.returnData?.data[0] ?? '';
    return [Buffer.from(returned, 'base64').toString(), balance, info.parsed.info];
  }
}
