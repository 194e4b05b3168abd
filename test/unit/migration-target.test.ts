import { expect, test } from 'bun:test';
import {
  DAMM_V1_MIGRATION_FEE_ADDRESS,
  DAMM_V2_MIGRATION_FEE_ADDRESS,
  deriveDammV1PoolAddress,
  deriveDammV2PoolAddress,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import { PublicKey } from '@solana/web3.js';
import { migrationTarget } from '../../src/chain/accounts/derived-addresses.ts';
import { readPoolConfig } from '../../src/chain/accounts/pool-config.ts';
import { DAMM_V1, DAMM_V2 } from '../../src/chain/accounts/programs.ts';
import { readDammFixtures } from '../support/damm-fixtures.ts';
import { addressOf } from '../support/program-idl.ts';

const SOL = 'So11111111111111111111111111111111111111112';

test('every recorded curve migrated to the pool that its config told before', async () => {
  let migrationCount = 0;
  for (const { known, steps, accountsAfter } of readDammFixtures()) {
    if (known.config === undefined) continue;
    const config = readPoolConfig(accountsAfter.get(known.config) ?? null);
    if (config === null) throw new Error('the config was not recorded');
    const target = await migrationTarget(config, known.baseMint);
    for (const { expected } of steps) {
      if (expected.migrated === null) continue;
      const { ammProgram, ammPool, ammConfig } = expected.migrated;
      expect(target).toEqual({ ammProgram, ammPoolAddress: ammPool, ammConfigAddress: ammConfig });
      migrationCount += 1;
    }
  }
  expect(migrationCount).toBe(3);
});

test('the fixed configs of DAMM v2 are those of the indexes 20000 to 20006', async () => {
  for (let option = 0; option <= 6; option += 1) {
    const index = Buffer.alloc(8);
    index.writeBigUInt64LE(BigInt(20_000 + option));
    const [config] = PublicKey.findProgramAddressSync([Buffer.from('config'), index], new PublicKey(DAMM_V2));
    const target = await migrationTarget(
      { migrationOption: 1, migrationFeeOption: option, quoteMint: SOL },
      addressOf('a mint'),
    );
    expect(target?.ammConfigAddress).toBe(config.toBase58());
  }
});

test('for every fee option of both AMMs, in either order of the mints, it is where the library of the curve looks', async () => {
  const amms = [
    { program: DAMM_V1, configs: DAMM_V1_MIGRATION_FEE_ADDRESS, derive: deriveDammV1PoolAddress },
    { program: DAMM_V2, configs: DAMM_V2_MIGRATION_FEE_ADDRESS, derive: deriveDammV2PoolAddress },
  ];
  for (const [migrationOption, { program, configs, derive }] of amms.entries()) {
    const mints = Array.from({ length: 8 }, (_, at) => addressOf(`mint ${at}`));
    for (const [migrationFeeOption, config] of configs.entries())
      for (const mint of mints)
        expect(await migrationTarget({ migrationOption, migrationFeeOption, quoteMint: SOL }, mint)).toEqual({
          ammProgram: program,
          ammConfigAddress: config.toBase58(),
          ammPoolAddress: derive(config, new PublicKey(mint), new PublicKey(SOL)).toBase58(),
        });
    const beyond = { migrationOption, migrationFeeOption: configs.length, quoteMint: SOL };
    expect(await migrationTarget(beyond, addressOf('a mint'))).toBeNull();
  }
  const unknown = { migrationOption: 2, migrationFeeOption: 0, quoteMint: SOL };
  expect(await migrationTarget(unknown, addressOf('a mint'))).toBeNull();
});
