import { expect, test } from 'bun:test';
import { startChain } from '../../sandbox/chain/server.ts';
import { migrationProgress } from '../../src/chain/accounts/virtual-pool.ts';
import { LaunchedPool, type LaunchKind } from '../support/launched-pool.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { settlingConnection } from '../support/settling-connection.ts';

const chain = await startChain({ slotMs: 400 });
atEnd(() => chain.stop());
const connection = settlingConnection(chain.rpcUrl);

const kinds: readonly (readonly [string, LaunchKind])[] = [
  [
    'an SPL token into a pool with a fixed fee',
    { isToken2022: false, hasCustomizableFee: false, hasVesting: false },
  ],
  ['a Token-2022 token, vesting included', { isToken2022: true, hasCustomizableFee: true, hasVesting: true }],
];

for (const [what, kind] of kinds) {
  test(`the programs' own libraries launch, trade, complete and migrate ${what}`, async () => {
    const token = new LaunchedPool(connection, kind);
    await token.fund();
    await token.launch();
    await token.buyAtQuote(5);
    await token.sell(1_000_000_000);
    expect(await token.progress()).toBe(migrationProgress.bonding);
    await token.complete();
    const { curveComplete, vestingLocked, migrated } = migrationProgress;
    expect(await token.progress()).toBe(kind.hasVesting ? curveComplete : vestingLocked);
    await expect(token.complete()).rejects.toThrow(/0x177d/);
    await token.claimPartnerFee();
    await token.migrate();
    expect(await token.progress()).toBe(migrated);
    await token.tradeAfterMigration();
    expect(await token.claimPositions(token.partner)).toBe(1);
    expect(await token.claimPositions(token.creator)).toBe(1);
  });
}

// A name of 7 bytes, a symbol of 3, and the address.
for (const [bytes, uriBytes] of [
  [354, 26],
  [357, 27],
  [356, 28],
] as const) {
  test(`a Token-2022 mint whose texts have ${10 + uriBytes} bytes has ${bytes}: never the 355 of a multisig`, async () => {
    const kind = { isToken2022: true, hasCustomizableFee: false, hasVesting: false, uriBytes };
    const token = new LaunchedPool(connection, kind);
    await token.fund();
    await token.launch();
    expect(await token.mintBytes()).toBe(bytes);
  });
}
