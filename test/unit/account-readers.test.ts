import { describe, expect, test } from 'bun:test';
import { AccountType, ExtensionType, MINT_SIZE, MintLayout } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { readDammPool } from '../../src/chain/accounts/damm-pool.ts';
import { associatedTokenAddress, migratedPoolAddresses } from '../../src/chain/accounts/derived-addresses.ts';
import { readMint } from '../../src/chain/accounts/mint.ts';
import { readPoolConfig } from '../../src/chain/accounts/pool-config.ts';
import { DAMM_V2, SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { readTokenBalance } from '../../src/chain/accounts/token-account.ts';
import { readVirtualPool } from '../../src/chain/accounts/virtual-pool.ts';
import { dammPoolAccount, readPoolFixture, tokenAccount, withBytes } from '../support/pools/pool-accounts.ts';

const { accounts, known } = readPoolFixture('j');
const MINT = known.baseMint;
const WALLET = known.pool;
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

/** A Token-2022 mint as the token program lays it out, encoded by its own client library. */
function extendedMint(extensions: readonly { type: number; bytes: number }[]) {
  const base = Buffer.alloc(MINT_SIZE);
  MintLayout.encode(
    {
      mintAuthorityOption: 1,
      mintAuthority: new PublicKey(WALLET),
      supply: 5n,
      decimals: 9,
      isInitialized: true,
      freezeAuthorityOption: 0,
      freezeAuthority: PublicKey.default,
    },
    base,
  );
  const values = extensions.map(({ type, bytes }) => {
    const value = Buffer.alloc(4 + bytes, 0xee);
    value.writeUInt16LE(type, 0);
    value.writeUInt16LE(bytes, 2);
    return value;
  });
  const data = Buffer.concat([
    base,
    Buffer.alloc(165 - MINT_SIZE),
    Buffer.from([AccountType.Mint]),
    ...values,
  ]);
  return { owner: TOKEN_2022, data };
}

describe('a mint', () => {
  test('of SPL Token has authorities and no extensions', () => {
    expect(readMint(accounts.get(MINT) ?? null)).toEqual({
      tokenProgram: 'spl_token',
      supplyRaw: 1_000_000_000_000_000n,
      decimals: 6,
      mintAuthority: null,
      freezeAuthority: null,
      extensions: [],
    });
  });

  test('of Token-2022 names its extensions, also one that did not exist when this was written', () => {
    const mint = extendedMint([
      { type: ExtensionType.TransferFeeConfig, bytes: 108 },
      { type: ExtensionType.MetadataPointer, bytes: 64 },
      { type: ExtensionType.TokenMetadata, bytes: 0 },
      { type: 9_999, bytes: 3 },
    ]);
    expect(readMint(mint)).toEqual({
      tokenProgram: 'token_2022',
      supplyRaw: 5n,
      decimals: 9,
      mintAuthority: WALLET as never,
      freezeAuthority: null,
      extensions: ['transfer_fee_config', 'metadata_pointer', 'token_metadata', 'extension_9999'],
    });
  });

  test('has every mint extension that the client library of the token program knows under its name', () => {
    const onAccounts = /Amount$|Account$|^Uninitialized$|^ImmutableOwner$|^MemoTransfer$|^CpiGuard$/;
    const known = Object.entries(ExtensionType).filter(
      (entry): entry is [string, ExtensionType] =>
        typeof entry[1] === 'number' && (!onAccounts.test(entry[0]) || entry[0] === 'ScaledUiAmountConfig'),
    );
    for (const [name, type] of known) {
      const snake = name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();
      const expected = snake.replace(/^(scaled_ui_amount|pausable)_config$/, '$1');
      expect(readMint(extendedMint([{ type, bytes: 8 }]))?.extensions).toEqual([expected]);
    }
  });

  test('that is missing, foreign, short, uninitialised, or broken after its base is no mint', () => {
    const mint = accounts.get(MINT);
    const broken = extendedMint([{ type: ExtensionType.TransferHook, bytes: 64 }]);
    for (const account of [
      null,
      { owner: WALLET, data: mint?.data ?? Buffer.alloc(0) },
      { owner: SPL_TOKEN, data: Buffer.alloc(81) },
      withBytes(mint, { 45: Uint8Array.of(0) }),
      { owner: TOKEN_2022, data: broken.data.subarray(0, -1) },
      tokenAccount(MINT, WALLET, 1n),
    ]) {
      expect(readMint(account)).toBeNull();
    }
  });
});

describe('a token account', () => {
  test('is read under both programs, whatever extensions follow', () => {
    expect(readTokenBalance(tokenAccount(MINT, WALLET, 7n), MINT)).toBe(7n);
    const extended = tokenAccount(MINT, WALLET, 8n, { program: TOKEN_2022, extensionBytes: 300 });
    expect(readTokenBalance(extended, MINT)).toBe(8n);
  });

  test('of another mint, another program or uninitialised is no balance', () => {
    const account = tokenAccount(MINT, WALLET, 7n);
    expect(readTokenBalance(null, MINT)).toBeNull();
    expect(readTokenBalance(account, WRAPPED_SOL)).toBeNull();
    expect(readTokenBalance({ ...account, owner: WALLET }, MINT)).toBeNull();
    expect(readTokenBalance(withBytes(account, { 108: Uint8Array.of(0) }), MINT)).toBeNull();
    expect(readTokenBalance(accounts.get(MINT) ?? null, MINT)).toBeNull();
  });
});

describe('pool and config', () => {
  test('are distinguished from each other, and from accounts of other programs, kinds and sizes', () => {
    const pool = accounts.get(known.pool) ?? null;
    const config = accounts.get(known.config) ?? null;
    expect(readVirtualPool(pool)).not.toBeNull();
    expect(readPoolConfig(config)).not.toBeNull();
    expect(readVirtualPool(config)).toBeNull();
    expect(readPoolConfig(pool)).toBeNull();
    for (const [account, read] of [
      [pool, readVirtualPool],
      [config, readPoolConfig],
    ] as const) {
      if (account === null) throw new Error('no account');
      expect(read(null)).toBeNull();
      expect(read({ ...account, owner: SPL_TOKEN })).toBeNull();
      expect(read({ ...account, data: account.data.subarray(0, -1) })).toBeNull();
      expect(read({ ...account, data: Buffer.concat([account.data, Buffer.alloc(80)]) })).toEqual(
        read(account),
      );
    }
  });

  test('of a transfer-hook launch are read like the others', () => {
    const pool = accounts.get(known.pool);
    const hooked = withBytes(pool, { 0: Buffer.from('eddbb8172abda923', 'hex') });
    expect(readVirtualPool(hooked)).toEqual(readVirtualPool(pool ?? null));
    const config = accounts.get(known.config);
    const hookedConfig = withBytes(config, { 0: Buffer.from('28dcc2fb29c77bfd', 'hex') });
    expect(readPoolConfig(hookedConfig)).toEqual(readPoolConfig(config ?? null));
  });

  test('with an unknown progress is not read', () => {
    expect(readVirtualPool(withBytes(accounts.get(known.pool), { 308: Uint8Array.of(4) }))).toBeNull();
  });
});

describe('a migrated pool', () => {
  const state = {
    baseMint: MINT,
    quoteMint: WRAPPED_SOL,
    baseVault: known.baseVault,
    protocolFeeRaw: 11n,
    liquidity: 2n ** 100n,
    permanentlyLockedLiquidity: 2n ** 99n,
    positionCount: 2n,
  };

  test('is seen from its base token, and is no pool of any other token', () => {
    const account = dammPoolAccount(state);
    expect(readDammPool(account, MINT)).toEqual({
      vault: known.baseVault,
      protocolFeeRaw: 11n,
      liquidity: 2n ** 100n,
      permanentlyLockedLiquidity: 2n ** 99n,
      positionCount: 2,
    });
    expect(readDammPool(account, known.pool)).toBeNull();
    expect(readDammPool({ ...account, owner: SPL_TOKEN }, MINT)).toBeNull();
  });

  test('lies where the seeds of the program put it, per fee option', async () => {
    const program = new PublicKey(DAMM_V2);
    const seen = new Set<string>();
    for (let option = 0; option <= 6; option += 1) {
      const derived = await migratedPoolAddresses(MINT, WRAPPED_SOL, option);
      if (derived === null) throw new Error(`no address for option ${option}`);
      const seeds = ['token_vault', new PublicKey(MINT).toBytes(), new PublicKey(derived.pool).toBytes()];
      const [vault] = PublicKey.findProgramAddressSync(
        seeds.map((seed) => Buffer.from(seed)),
        program,
      );
      expect(derived.baseVault).toBe(vault.toBase58());
      // The order of the mints does not matter to the pool.
      expect((await migratedPoolAddresses(WRAPPED_SOL, MINT, option))?.pool).toBe(derived.pool);
      seen.add(derived.pool);
    }
    expect(seen.size).toBe(7);
    expect(await migratedPoolAddresses(MINT, WRAPPED_SOL, 7)).toBeNull();
  });

  test('and an associated token account is where the wallet library expects it', async () => {
    const seeds = [WALLET, SPL_TOKEN, MINT].map((address) => new PublicKey(address).toBytes());
    const program = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
    const [address] = PublicKey.findProgramAddressSync(seeds, program);
    expect(await associatedTokenAddress(WALLET, MINT, SPL_TOKEN)).toBe(address.toBase58());
  });
});
