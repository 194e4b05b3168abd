import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { expectProblem } from '../support/api/problems.ts';
import {
  amountsOf,
  type CompositionStage,
  createCompositionStage,
  foreignAccount,
} from '../support/pools/composition-stage.ts';
import { readPoolFixture, readPoolFixtures, u64, withBytes } from '../support/pools/pool-accounts.ts';

let stage: CompositionStage;

beforeAll(async () => {
  stage = await createCompositionStage();
});
beforeEach(() => stage.reset());

describe('the composition of a recorded pool', () => {
  test.each(readPoolFixtures())('$name is exact, and names the slot it was read in', async (fixture) => {
    const body = await stage.read(fixture.known.baseMint);
    expect(amountsOf(body)).toEqual(fixture.expected.buckets);
    expect(body).toMatchObject({
      available: true,
      unavailableReason: null,
      slot: Number(stage.chain.ledger.slot - 1n),
      totalSupply: fixture.expected.totalSupply,
      lifecycle: fixture.expected.lifecycle,
      reads: 'complete',
      unreadBuckets: [],
      authorities: {
        mintAuthority: null,
        freezeAuthority: null,
        tokenProgram: 'spl_token',
        extensions: [],
      },
      lpLock: null,
    });
    for (const { key, addresses } of body.buckets) {
      expect(addresses).toEqual(key === 'free_float' ? [] : [fixture.known.baseVault]);
    }
  });

  test('names who may mint and freeze', async () => {
    const { known, accounts } = readPoolFixture('a');
    const [minter, freezer] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
    const some = (key: typeof minter) => Buffer.concat([Buffer.from([1, 0, 0, 0]), key.toBytes()]);
    const changed = withBytes(accounts.get(known.baseMint), { 0: some(minter), 46: some(freezer) });
    stage.setAccounts([[known.baseMint, changed]]);
    expect((await stage.read(known.baseMint)).authorities).toMatchObject({
      mintAuthority: minter.toBase58(),
      freezeAuthority: freezer.toBase58(),
    });
  });

  test('is not sent again to a client that has it', async () => {
    const { known } = readPoolFixture('a');
    const etag = (await stage.request(known.baseMint)).headers.get('etag') ?? '';
    const again = await fetch(`${stage.api.baseUrl}/tokens/${known.baseMint}/supply-composition`, {
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  });

  test('requested by 100 concurrent callers is read once', async () => {
    const { baseMint } = readPoolFixture('a').known;
    const bodies = await Promise.all(
      Array.from({ length: 100 }, () => stage.request(baseMint).then((r) => r.text())),
    );
    expect(new Set(bodies).size).toBe(1);
  });
});

const inVault = ['curve_unsold', 'curve_leftover', 'migration_reserve', 'vesting_escrows'];
const failures = [
  { account: 'baseMint', unread: inVault },
  {
    account: 'pool',
    unread: [
      'curve_unsold',
      'curve_leftover',
      'migration_reserve',
      'pool_reserve',
      'vesting_escrows',
      'fee_vault',
    ],
  },
  { account: 'config', unread: inVault },
  { account: 'baseVault', unread: inVault },
] as const;

describe('a failed read', () => {
  test.each(failures)(
    'of $account leaves out exactly the buckets that depend on it',
    async ({ account, unread }) => {
      const { known } = readPoolFixture('j');
      await stage.read(known.baseMint);
      stage.setAccounts([[known[account], foreignAccount]]);
      const body = await stage.read(known.baseMint);
      expect(body).toMatchObject({
        available: true,
        reads: 'partial',
        unreadBuckets: [...unread],
        buckets: [],
      });
      expect(body.lifecycle).toBe(account === 'pool' ? null : 'bonding');
      expect(body.totalSupply === null).toBe(account === 'baseMint');
      expect(body.authorities === null).toBe(account === 'baseMint');
    },
  );

  test('keeps the buckets that were read, and no free float', async () => {
    const { known, accounts } = readPoolFixture('j');
    const fees = { 248: u64(5n), 264: u64(6n), 352: u64(7n), 384: u64(8n) };
    stage.setAccounts([
      [known.pool, withBytes(accounts.get(known.pool), fees)],
      [known.config, foreignAccount],
    ]);
    const body = await stage.read(known.baseMint);
    expect(amountsOf(body)).toEqual({ fee_vault: '26' });
    expect(body.unreadBuckets).toEqual(inVault);
  });

  test('of an account that does not exist counts like any other', async () => {
    const { known, accounts } = readPoolFixture('a');
    const mint = Keypair.generate().publicKey.toBase58();
    const pool = Keypair.generate().publicKey.toBase58();
    await stage.addToken(mint, pool);
    const mintAccount = accounts.get(known.baseMint);
    if (mintAccount === undefined) throw new Error('no mint');
    stage.setAccounts([[mint, mintAccount]]);
    const body = await stage.read(mint);
    expect(body).toMatchObject({ reads: 'partial', lifecycle: null, buckets: [] });
    expect(body.unreadBuckets).toHaveLength(6);
  });
});

describe('no composition', () => {
  const nothing = {
    available: false,
    slot: null,
    tokenDecimals: null,
    totalSupply: null,
    lifecycle: null,
    reads: null,
    unreadBuckets: [],
    buckets: [],
    authorities: null,
    lpLock: null,
  };

  test('of a token without a pool, or whose pool and mint do not exist yet: not launched', async () => {
    const [planned, announced] = [0, 1].map(() => Keypair.generate().publicKey.toBase58());
    await stage.addToken(planned ?? '', null);
    await stage.addToken(announced ?? '', Keypair.generate().publicKey.toBase58());
    for (const mint of [planned, announced]) {
      expect(await stage.read(mint ?? '')).toMatchObject({
        ...nothing,
        unavailableReason: 'not_launched',
      } as never);
    }
  });

  test('while no node answers, and it is back as soon as one does', async () => {
    const { known, expected } = readPoolFixture('a');
    stage.chain.setFaults({ down: 'unavailable' });
    expect(await stage.read(known.baseMint)).toMatchObject({
      ...nothing,
      unavailableReason: 'chain_unavailable',
    } as never);
    stage.chain.setFaults({});
    stage.api.dependencies.chainReadCaches.supply.clear();
    expect(amountsOf(await stage.read(known.baseMint))).toEqual(expected.buckets);
  });

  test('for an unknown or hidden token', async () => {
    const hidden = Keypair.generate().publicKey.toBase58();
    await stage.addToken(hidden, null, true);
    for (const mint of [hidden, Keypair.generate().publicKey.toBase58()]) {
      await expectProblem(await stage.request(mint), 'token_not_found');
    }
    await expectProblem(await stage.request('not-an-address'), 'validation_failed');
  });
});
