import { readdirSync, readFileSync } from 'node:fs';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { DAMM_V2, SPL_TOKEN } from '../../../src/chain/accounts/programs.ts';
import { decodeAddress } from '../../../src/shared/address.ts';
import { toAccounts } from './damm-fixtures.ts';

/** A recorded pool of test/fixtures/dbc with its final accounts. */
export interface PoolFixture {
  name: string;
  accounts: ReadonlyMap<string, ChainAccount>;
  expected: {
    totalSupply: string;
    decimals: number;
    buckets: Record<string, string>;
    lifecycle: 'bonding' | 'migrating' | 'graduated';
  };
  known: KnownAddresses;
}

interface KnownAddresses {
  pool: string;
  config: string;
  baseMint: string;
  baseVault: string;
  lockerEscrow?: string;
  lockerEscrowToken?: string;
}

interface RecordedPool {
  name: string;
  accountsAfter: Record<string, { owner: string; dataBase64: string }>;
  expectedSupply: PoolFixture['expected'] & { knownAddresses: KnownAddresses };
}

const FOLDER = new URL('../../fixtures/dbc/', import.meta.url);

/** Every recorded pool, each a fresh copy. */
export function readPoolFixtures(): PoolFixture[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => toFixture(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))));
}

/** The recorded pool whose name begins with this letter. */
export function readPoolFixture(letter: string): PoolFixture {
  const found = readPoolFixtures().find(({ name }) => name.startsWith(`${letter}-`));
  if (found === undefined) throw new Error(`no recorded pool ${letter}`);
  return found;
}

function toFixture({ name, accountsAfter, expectedSupply }: RecordedPool): PoolFixture {
  return {
    name,
    accounts: toAccounts(accountsAfter),
    expected: expectedSupply,
    known: expectedSupply.knownAddresses,
  };
}

/** A copy of an account with some bytes replaced. */
export function withBytes(
  account: ChainAccount | undefined,
  changes: Readonly<Record<number, Uint8Array>>,
): ChainAccount {
  if (account === undefined) throw new Error('no such account');
  const data = Buffer.from(account.data);
  for (const [offset, bytes] of Object.entries(changes)) data.set(bytes, Number(offset));
  return { owner: account.owner, data };
}

export function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

export function u128(value: bigint): Uint8Array {
  return Buffer.concat([u64(value & 0xffff_ffff_ffff_ffffn), u64(value >> 64n)]);
}

export function keyBytes(address: string): Uint8Array {
  const bytes = decodeAddress(address);
  if (bytes === null) throw new Error(`not an address: ${address}`);
  return bytes;
}

/** An initialised token account; `extensionBytes` of Token-2022 data follow the kind byte. */
export function tokenAccount(
  mint: string,
  owner: string,
  amountRaw: bigint,
  { program = SPL_TOKEN, extensionBytes = 0 } = {},
): ChainAccount {
  const data = Buffer.alloc(extensionBytes > 0 ? 166 + extensionBytes : 165);
  data.set(keyBytes(mint), 0);
  data.set(keyBytes(owner), 32);
  data.set(u64(amountRaw), 64);
  data[108] = 1;
  if (extensionBytes > 0) data[165] = 2;
  return { owner: program, data };
}

export interface DammPoolState {
  baseMint: string;
  quoteMint: string;
  baseVault: string;
  protocolFeeRaw: bigint;
  liquidity: bigint;
  permanentlyLockedLiquidity: bigint;
  positionCount: bigint;
}

/** A DAMM v2 pool with the base token as token A, as migrations create them. */
export function dammPoolAccount(state: DammPoolState): ChainAccount {
  const data = Buffer.alloc(8 + 1104);
  data.set(Buffer.from('f19a6d0411b16dbc', 'hex'), 0);
  data.set(keyBytes(state.baseMint), 168);
  data.set(keyBytes(state.quoteMint), 200);
  data.set(keyBytes(state.baseVault), 232);
  data.set(u128(state.liquidity), 360);
  data.set(u64(state.protocolFeeRaw), 392);
  data.set(u128(state.permanentlyLockedLiquidity), 552);
  data.set(u64(state.positionCount), 632);
  return { owner: DAMM_V2, data };
}

/** A position of a DAMM v2 pool. */
export function dammPositionAccount(
  pool: string,
  unlockedLiquidity: bigint,
  vestedLiquidity: bigint,
  permanentlyLockedLiquidity: bigint,
): ChainAccount {
  const data = Buffer.alloc(8 + 400);
  data.set(Buffer.from('aabc8fe47a40f7d0', 'hex'), 0);
  data.set(keyBytes(pool), 8);
  data.set(u128(unlockedLiquidity), 152);
  data.set(u128(vestedLiquidity), 168);
  data.set(u128(permanentlyLockedLiquidity), 184);
  return { owner: DAMM_V2, data };
}
