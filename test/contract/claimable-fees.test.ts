import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { CpAmm, getUnClaimLpFee } from '@meteora-ag/cp-amm-sdk';
import { DynamicBondingCurveClient } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { Value } from '@sinclair/typebox/value';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { type SandboxChain, type SandboxNode, startChain } from '../../sandbox/chain/server.ts';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { writeDammPosition } from '../../src/chain/accounts/damm-position.ts';
import { TOKEN_2022, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { writeCurvePool, writeCurvePoolKeys } from '../../src/chain/pools/curve/pool-account.ts';
import {
  type ClaimableFees,
  type ClaimableFeesPage,
  ClaimableFeesPageSchema,
} from '../../src/features/fees/claimable/schema.ts';
import { FeeRefresh } from '../../src/indexer/fees/fee-refresh.ts';
import { type Address, encodeAddress } from '../../src/shared/address.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { feeDependencies, recordHistory, registerToken } from '../support/market/pool-fees.ts';
import { type DammFixture, dammFixture, readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { tokenAccount } from '../support/pools/pool-accounts.ts';
import { atEnd } from '../support/run/cleanup.ts';

const graduated = readDammFixtures().filter(({ curvePool }) => curvePool !== null);
const newAddress = () => encodeAddress(crypto.getRandomValues(new Uint8Array(32)));
let chain: SandboxChain;
let second: SandboxNode;
let api: TestApi;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  second = chain.addNode();
  api = await startTestApi({ environment: { SOLANA_RPC_URL: `${chain.rpcUrl},${second.rpcUrl}` } });
});

beforeEach(async () => {
  chain.setFaults({});
  second.setFaults({});
  await emptyTables(api.dependencies.database, 'tokens', 'indexer_cursors');
  for (const fixture of readDammFixtures()) setAccounts([...fixture.accountsAfter, ...unclaimed(fixture)]);
});

/** The recorded parties have claimed nearly everything: their positions and curves as if they had not. */
function unclaimed(fixture: DammFixture): (readonly [string, ChainAccount])[] {
  const positions = fixture.known.positions.map(({ position }) => {
    const account = accountOf(fixture, position);
    writeDammPosition(account.data, {
      feeAPerLiquidityCheckpoint: 0n,
      feeBPerLiquidityCheckpoint: 0n,
      feeAPending: 17n,
      feeBPending: 19n,
    });
    return [position, account] as const;
  });
  if (fixture.curvePool === null) return positions;
  const curve = accountOf(fixture, fixture.curvePool.poolAddress);
  writeCurvePool(curve.data, { creatorBaseFee: 23n, partnerBaseFee: 29n, partnerQuoteFee: 31n });
  return [...positions, [fixture.curvePool.poolAddress, curve]];
}

function setAccounts(accounts: Iterable<readonly [string, ChainAccount | null]>): void {
  for (const [address, account] of accounts)
    chain.ledger.setAccount(address, {
      lamports: account === null ? 0n : 10_000_000n,
      owner: account?.owner ?? '11111111111111111111111111111111',
      data: account?.data ?? new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
  chain.advanceSlots(1);
  forget();
}

/** Forgets what was read before: responses, and the NFTs of wallets. */
function forget(): void {
  api.dependencies.claimableFees.clear();
  api.dependencies.walletClaims.clear();
}

const feeReaders = () => feeDependencies(api.dependencies.database, [chain.rpcUrl]);

/** Registers the recorded token, and reads its pools as the worker does. */
async function index(fixture: DammFixture): Promise<void> {
  await registerToken(api.dependencies.database, fixture.known.baseMint, poolOf(fixture));
  await recordHistory(feeReaders(), fixture);
  const refresh = new FeeRefresh(feeReaders());
  while (await refresh.step());
}

const poolOf = ({ curvePool, ammPool }: DammFixture) => (curvePool ?? ammPool).poolAddress;
const partyOf = ({ known }: DammFixture, name: 'creator' | 'feeClaimer' | 'leftoverReceiver') =>
  (known as unknown as Record<typeof name, string>)[name];

const request = (wallet: string, query = '', init?: RequestInit) =>
  fetch(`${api.baseUrl}/wallets/${wallet}/claimable-fees${query}`, init);

async function readPage(wallet: string, query = ''): Promise<ClaimableFeesPage> {
  const response = await request(wallet, query);
  expect(response.status).toBe(200);
  const body = await response.json();
  expect(Value.Check(ClaimableFeesPageSchema, body)).toBe(true);
  return body as ClaimableFeesPage;
}

const read = async (wallet: string, query = '') => (await readPage(wallet, query)).data;

function accountOf({ accountsAfter }: DammFixture, address: string): { owner: string; data: Buffer } {
  const account = accountsAfter.get(address);
  if (account === undefined) throw new Error(`${address} was not recorded`);
  return { owner: account.owner, data: Buffer.from(account.data) };
}

const amountsOf = (fees: ClaimableFees | undefined) =>
  Object.fromEntries(
    (fees?.claims ?? []).map(({ kind, positionAddress, quoteRaw, baseRaw }) => [
      positionAddress === null ? kind : `${kind} ${positionAddress}`,
      [quoteRaw, baseRaw],
    ]),
  );

/** What the libraries of both programs compute for the same accounts, without zero amounts. */
async function byLibraries(fixture: DammFixture, wallet: string): Promise<Record<string, string[]>> {
  const connection = new Connection(chain.rpcUrl, 'confirmed');
  const curves = DynamicBondingCurveClient.create(connection, 'confirmed');
  const { creator, partner } = await curves.state.getPoolFeeBreakdown(new PublicKey(poolOf(fixture)));
  const found: Record<string, string[]> = {};
  const note = (key: string, quote: BN, base: BN) => {
    if (!quote.isZero() || !base.isZero()) found[key] = [quote.toString(), base.toString()];
  };
  if (partyOf(fixture, 'creator') === wallet)
    note('creator_trading_fee', creator.unclaimedQuoteFee, creator.unclaimedBaseFee);
  if (partyOf(fixture, 'feeClaimer') === wallet)
    note('partner_trading_fee', partner.unclaimedQuoteFee, partner.unclaimedBaseFee);
  const amms = new CpAmm(connection);
  const pool = await amms.fetchPoolState(new PublicKey(fixture.known.ammPool));
  for (const { position, positionState } of await amms.getUserPositionByPool(
    new PublicKey(fixture.known.ammPool),
    new PublicKey(wallet),
  )) {
    const { feeTokenA, feeTokenB } = getUnClaimLpFee(pool, positionState, new BN(0));
    note(`position_fee ${position.toBase58()}`, feeTokenB, feeTokenA);
  }
  return found;
}

describe.each(graduated)('$name', (fixture) => {
  test('each party can claim what the libraries of the programs compute for the same accounts', async () => {
    await index(fixture);
    for (const [at, party] of (['creator', 'feeClaimer'] as const).entries()) {
      const wallet = partyOf(fixture, party);
      await api.dependencies.database`update tokens set decimals = ${6 + at}`;
      forget();
      const [fees, ...others] = await read(wallet);
      const expected = await byLibraries(fixture, wallet);
      const kinds = /^(?:creator_trading_fee|partner_trading_fee|position_fee)/;
      const found = Object.entries(amountsOf(fees)).filter(([key]) => kinds.test(key));
      expect(Object.fromEntries(found)).toEqual(expected);
      expect(Object.keys(expected)).toHaveLength(2);
      expect(others).toEqual([]);
      expect(fees).toMatchObject({ mintAddress: fixture.known.baseMint, decimals: 6 + at, unread: [] });
      const sum = fees?.claims.reduce((total, { quoteRaw }) => total + BigInt(quoteRaw), 0n);
      expect(fees?.lamports).toBe(String(sum));
      for (const { slot, quoteMint } of fees?.claims ?? []) {
        expect(BigInt(slot)).toBeLessThanOrEqual(chain.ledger.slot);
        expect(quoteMint).toBe(WRAPPED_SOL_MINT);
      }
    }
  });
});

describe('what a wallet can claim', () => {
  const fixture = dammFixture('a');
  const { known } = fixture;
  const creator = partyOf(fixture, 'creator');
  const positionOf = (wallet: string) => {
    const found = known.positions.find(({ owner }) => owner === wallet);
    if (found === undefined) throw new Error('the wallet has no position');
    return found;
  };

  /** Changes numbers of the recorded curve, and its creator. */
  function setCurve(fields: Parameters<typeof writeCurvePool>[1], owner?: string): void {
    const pool = accountOf(fixture, poolOf(fixture));
    writeCurvePool(pool.data, fields);
    if (owner !== undefined) writeCurvePoolKeys(pool.data, { creator: owner as Address });
    setAccounts([[poolOf(fixture), pool]]);
  }

  test('is an empty list for a wallet with nothing, and for one that has claimed everything', async () => {
    await index(fixture);
    expect(await readPage(newAddress())).toMatchObject({
      data: [],
      positionsComplete: true,
      page: { hasMore: false, nextCursor: null },
    });
    const stranger = newAddress();
    setCurve({ creatorBaseFee: 0n, creatorQuoteFee: 0n }, stranger);
    expect(await read(stranger)).toEqual([]);
  });

  test('includes every amount of the curve in SOL and in the token, exact to the unit', async () => {
    await index(fixture);
    setCurve({
      creatorBaseFee: 12_345_678_901_234_567n,
      creatorQuoteFee: 9_007_199_254_740_993n,
      isCreatorWithdrawSurplus: 0,
      isMigrated: 1,
    });
    const [fees] = await read(creator);
    expect(amountsOf(fees)).toMatchObject({
      creator_trading_fee: ['9007199254740993', '12345678901234567'],
    });
  });

  test('goes with the NFT of a position: to the account of its new owner, wherever the token lies', async () => {
    await index(fixture);
    const { position, nftMint, nftAccount } = positionOf(creator);
    const key = `position_fee ${position}`;
    const amounts = amountsOf((await read(creator))[0])[key];
    expect(amounts).toBeDefined();
    const [buyer, next] = [newAddress(), newAddress()];
    // Sold by a change of the account's owner.
    setAccounts([[nftAccount, tokenAccount(nftMint, buyer, 1n, { program: TOKEN_2022 })]]);
    expect(amountsOf((await read(creator))[0])[key]).toBeUndefined();
    expect(await read(buyer)).toMatchObject([{ mintAddress: known.baseMint, unread: [] }]);
    expect(amountsOf((await read(buyer))[0])).toEqual({ [key]: amounts ?? [] });
    // Sold by a transfer to another account.
    setAccounts([
      [nftAccount, tokenAccount(nftMint, buyer, 0n, { program: TOKEN_2022 })],
      [newAddress(), tokenAccount(nftMint, next, 1n, { program: TOKEN_2022 })],
    ]);
    expect(await read(buyer)).toEqual([]);
    expect(amountsOf((await read(next))[0])).toEqual({ [key]: amounts ?? [] });
  });

  test('includes positions that no migration made, in pools of tokens of the service alone', async () => {
    const direct = dammFixture('d');
    await registerToken(api.dependencies.database, direct.known.baseMint, direct.known.ammPool);
    const [{ owner, position } = { owner: '', position: '' }] = direct.known.positions;
    const connection = new CpAmm(new Connection(chain.rpcUrl, 'confirmed'));
    const pool = await connection.fetchPoolState(new PublicKey(direct.known.ammPool));
    const { feeTokenA, feeTokenB } = getUnClaimLpFee(
      pool,
      await connection.fetchPositionState(new PublicKey(position)),
      new BN(0),
    );
    const [fees] = await read(owner);
    // SOL is the token A of this pool.
    expect(amountsOf(fees)).toEqual({
      [`position_fee ${position}`]: [feeTokenA.toString(), feeTokenB.toString()],
    });
    await emptyTables(api.dependencies.database, 'tokens');
    forget();
    expect(await read(owner)).toEqual([]);
  });

  test('follows the creator of the pool, whom the worker reads again, and the report of a pool that it has not read', async () => {
    const { database } = api.dependencies;
    await registerToken(database, known.baseMint, poolOf(fixture));
    await database`update tokens set creator_wallet = ${creator}`;
    setCurve({ creatorQuoteFee: 5n });
    expect(amountsOf((await read(creator))[0])).toMatchObject({ creator_trading_fee: ['5', '0'] });
    const heir = newAddress();
    setCurve({ creatorQuoteFee: 7n }, heir);
    await index(fixture);
    forget();
    expect(amountsOf((await read(heir))[0])).toMatchObject({ creator_trading_fee: ['7', '0'] });
    expect(amountsOf((await read(creator))[0])).not.toHaveProperty('creator_trading_fee');
  });

  test('is the leftover of a fixed supply once the pool has migrated, and of its receiver alone', async () => {
    const fixed = dammFixture('b');
    await index(fixed);
    const receiver = partyOf(fixed, 'leftoverReceiver');
    const { baseVault } = fixed.known as unknown as { baseVault: string };
    const pool = accountOf(fixed, poolOf(fixed));
    writeCurvePool(pool.data, { isWithdrawLeftover: 0, partnerBaseFee: 3n, creatorBaseFee: 4n });
    const vault = accountOf(fixed, baseVault);
    vault.data.writeBigUInt64LE(1_000n, 64);
    setAccounts([
      [poolOf(fixed), pool],
      [baseVault, vault],
    ]);
    expect(amountsOf((await read(receiver))[0])).toMatchObject({ leftover: ['0', '993'] });
    setAccounts([[baseVault, null]]);
    const [unread] = await read(receiver);
    expect(unread?.unread).toEqual(['leftover']);
    expect(amountsOf(unread)).not.toHaveProperty('leftover');
  });

  test('names what could not be read, never as zero', async () => {
    await index(fixture);
    const { position } = positionOf(creator);
    const foreign = { owner: '11111111111111111111111111111111', data: Buffer.alloc(0) };
    setAccounts([[poolOf(fixture), null]]);
    const [withoutCurve] = await read(creator);
    expect(withoutCurve?.unread).toEqual(['curve']);
    expect(Object.keys(amountsOf(withoutCurve))).toEqual([`position_fee ${position}`]);
    setAccounts([...unclaimed(fixture), [known.ammPool, foreign]]);
    const [withoutPosition] = await read(creator);
    expect(withoutPosition?.unread).toEqual(['positions']);
  });

  test('is read page by page, each token once, by mint; `mints` narrows it', async () => {
    const { database } = api.dependencies;
    await index(fixture);
    const wallet = newAddress();
    const mints = Array.from({ length: 7 }, newAddress).sort();
    // Pools that do not exist: each is named as unread.
    for (const mint of mints) await registerToken(database, mint, newAddress());
    await database`update tokens set creator_wallet = ${wallet} where mint_address = any(${mints})`;
    await database`update tokens set hidden = true where mint_address = ${mints[3] ?? ''}`;
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 5; pages += 1) {
      const { data, page } = await readPage(wallet, `?limit=2${cursor}`);
      seen.push(...data.map(({ mintAddress }) => mintAddress));
      if (!page.hasMore) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    const visible = mints.filter((_, at) => at !== 3);
    expect(seen).toEqual(visible);
    const named = [visible[4], visible[1], newAddress(), known.baseMint].join(',');
    expect((await read(wallet, `?mints=${named}`)).map(({ mintAddress }) => mintAddress)).toEqual(
      [visible[1], visible[4]].map(String),
    );
    const narrowed = await readPage(wallet, `?mints=${named}&limit=1`);
    const { nextCursor } = narrowed.page;
    await expectProblem(await request(wallet, `?cursor=${nextCursor}`), 'cursor_invalid');
  });
});

describe('a read of claims', () => {
  const fixture = dammFixture('a');
  const creator = partyOf(fixture, 'creator');

  test('goes to the next node when one fails, and is 503 when none responds', async () => {
    await index(fixture);
    chain.setFaults({ down: 'unavailable' });
    forget();
    expect(await read(creator)).toHaveLength(1);
    second.setFaults({ down: 'unavailable' });
    forget();
    await expectProblem(await request(creator), 'chain_unavailable');
  });

  test('of an invalid address, unknown parameters and too many mints is refused', async () => {
    await expectProblem(await request('0OIl'), 'validation_failed');
    await expectProblem(await request(creator, '?kinds=leftover'), 'validation_failed');
    await expectProblem(await request(creator, '?mints=x'), 'validation_failed');
    const mints = Array.from({ length: 101 }, newAddress).join(',');
    await expectProblem(await request(creator, `?mints=${mints}`), 'validation_failed');
    await expectProblem(await request(creator, '?cursor=abcdefghijklmnopqrstuvwx'), 'cursor_invalid');
  });

  test('looks at no more NFTs than it is bounded to, and says so', async () => {
    await index(fixture);
    const hoarder = Keypair.generate().publicKey.toBase58();
    const nfts = Array.from({ length: 301 }, () =>
      tokenAccount(newAddress(), hoarder, 1n, { program: TOKEN_2022 }),
    );
    setAccounts(nfts.map((account) => [newAddress(), account] as const));
    expect(await readPage(hoarder)).toMatchObject({ data: [], positionsComplete: false });
  });
});
