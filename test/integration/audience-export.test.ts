import { describe, expect, test } from 'bun:test';
import { startChain } from '../../sandbox/chain/server.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { createTokenHolderSources } from '../../src/chain/holdings/mint-holders.ts';
import { cancelOperation } from '../../src/features/operations/cancel-operation.ts';
import { audienceExport } from '../../src/features/operations/kinds/audience-export.ts';
import type { AnyOperationKind } from '../../src/features/operations/runner/kind.ts';
import { decodeAddress, encodeAddress } from '../../src/shared/address.ts';
import {
  type HolderNode,
  type HolderNodeOptions,
  ownerAddress,
  startHolderNode,
} from '../support/chain/holder-node.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { createTestRunner } from '../support/operations/operation-runner.ts';
import { openOperationStage } from '../support/operations/operation-stage.ts';
import { tokenAccount } from '../support/pools/pool-accounts.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const MINT_BYTES = new Uint8Array(32).fill(5);
const MINT = encodeAddress(MINT_BYTES);

const { db, accountId, runner, stateOf, eventsOf, resultOf } = await openOperationStage();

/** Owners in a scattered order, each with one account. */
function node(options: Partial<HolderNodeOptions> = {}): Promise<HolderNode> {
  return startHolderNode({
    mint: MINT_BYTES,
    slot: 77n,
    count: 3,
    accountAt: (position) => ({ owner: position, amountRaw: BigInt(position + 1) }),
    ...options,
  });
}

const exporter = (...nodes: { url: string }[]): AnyOperationKind =>
  audienceExport(createTokenHolderSources(nodes.map(({ url }) => url)));

async function start(input: object = {}): Promise<string> {
  return runner.create(accountId, 'audience_export', { mintAddress: MINT, ...input });
}

/** Runs an export to its end; its lines without the header. */
async function exportLines(kind: AnyOperationKind, input: object = {}): Promise<string[]> {
  const id = await start(input);
  await runner.runDue(kind);
  expect(await stateOf(id)).toMatchObject({ status: 'succeeded', errorDetail: null });
  return linesOf(await resultOf(id));
}

function linesOf(text: string): string[] {
  const [header, ...lines] = text.split('\r\n');
  expect(header).toBe('wallet_address,balance_raw,slot');
  expect(lines.pop()).toBe('');
  return lines;
}

async function workingRows(operationId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select (select count(*) from operation_token_accounts where operation_id = ${operationId})::int
      + (select count(*) from operation_holders where operation_id = ${operationId})::int as count`;
  return row?.count ?? -1;
}

describe('the file of an audience export', () => {
  test('lists wallets by balance, then address, with their accounts added up beyond 64 bits', async () => {
    const max = 2n ** 64n - 1n;
    const held = [
      { owner: 2, amountRaw: 5n },
      { owner: 9, amountRaw: max },
      { owner: 1, amountRaw: 5n },
      { owner: 9, amountRaw: max },
      { owner: 3, amountRaw: 0n },
    ];
    const lines = await exportLines(
      exporter(
        await node({ count: held.length, accountAt: (at) => held[at] ?? { owner: 0, amountRaw: 0n } }),
      ),
    );
    const [lower, higher] = [ownerAddress(1), ownerAddress(2)].sort();
    expect(lines).toEqual([`${ownerAddress(9)},${max * 2n},77`, `${lower},5,77`, `${higher},5,77`]);
  });

  test('leaves out wallets with less than the minimum, counted over all their accounts', async () => {
    const held = [
      { owner: 1, amountRaw: 6n },
      { owner: 2, amountRaw: 9n },
      { owner: 1, amountRaw: 4n },
    ];
    const source = await node({ count: 3, accountAt: (at) => held[at] ?? { owner: 0, amountRaw: 0n } });
    expect(await exportLines(exporter(source), { minimumBalanceRaw: '10' })).toEqual([
      `${ownerAddress(1)},10,77`,
    ]);
  });

  test('holds only the largest wallets, in the requested format', async () => {
    const id = await start({ top: 2, format: 'ndjson' });
    await runner.runDue(exporter(await node()));
    const lines = (await resultOf(id)).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { walletAddress: ownerAddress(2), balanceRaw: '3', slot: '77' },
      { walletAddress: ownerAddress(1), balanceRaw: '2', slot: '77' },
    ]);
    const [file] = await db`select file_name, content_type from operation_results where operation_id = ${id}`;
    expect(file).toEqual({ fileName: `audience-${MINT}-77.ndjson`, contentType: 'application/x-ndjson' });
  });

  test('of many lines is stored in pieces that fit the table', async () => {
    const accountAt = (at: number) => ({ owner: at, amountRaw: 2n ** 64n - 1n });
    const id = await start({ format: 'ndjson' });
    await runner.runDue(exporter(await node({ count: 4_000, accountAt })));
    expect(await stateOf(id)).toMatchObject({ status: 'succeeded' });
    expect((await resultOf(id)).split('\n').length).toBe(4_001);
  });

  test('of a token that nobody holds is empty as lines of JSON', async () => {
    const id = await start({ format: 'ndjson' });
    await runner.runDue(exporter(await node({ count: 0 })));
    const [file] = await db`select byte_length from operation_results where operation_id = ${id}`;
    expect(file).toEqual({ byteLength: 0n });
  });

  test('is of the requested slot or a later one: a lagging node is passed over', async () => {
    const [behind, ahead] = [await node({ slot: 80n }), await node({ slot: 90n })];
    const [line] = await exportLines(exporter(behind, ahead), { minSlot: '81' });
    expect(line).toEndWith(',90');
  });

  test('of a token that nobody holds is the header alone', async () => {
    expect(await exportLines(exporter(await node({ count: 0 })))).toEqual([]);
  });

  test('has its count in the operation and its event, and leaves no working rows', async () => {
    const id = await start();
    await runner.runDue(exporter(await node()));
    const [event] = await eventsOf(id);
    expect(event).toMatchObject({
      name: 'operation.succeeded',
      data: { kind: 'audience_export', progress: { completed: 3, total: 3, unit: 'holders' } },
    });
    const [file] =
      await db`select file_name, content_type, byte_length from operation_results where operation_id = ${id}`;
    expect(file).toEqual({
      fileName: `audience-${MINT}-77.csv`,
      contentType: 'text/csv; charset=utf-8; header=present',
      byteLength: BigInt((await resultOf(id)).length),
    });
    expect(await workingRows(id)).toBe(0);
  });

  test.each([
    ['SPL Token', SPL_TOKEN],
    ['Token-2022', TOKEN_2022],
  ])('is read from a chain under %s, at the slot of the chain', async (_name, program) => {
    const chain = await startChain({ slotMs: 'manual' });
    atEnd(() => chain.stop());
    const mint = encodeAddress(crypto.getRandomValues(new Uint8Array(32)));
    const account = { lamports: 2_039_280n, executable: false, rentEpoch: 0n };
    const mintData = Buffer.alloc(82);
    mintData[45] = 1;
    chain.ledger.setAccount(mint, { ...account, owner: program, data: mintData });
    const extensionBytes = program === TOKEN_2022 ? 4 : 0;
    for (const [owner, amountRaw] of [
      [1, 4n],
      [2, 8n],
      [1, 3n],
    ] as const) {
      const { data } = tokenAccount(mint, ownerAddress(owner), amountRaw, { program, extensionBytes });
      const address = encodeAddress(crypto.getRandomValues(new Uint8Array(32)));
      chain.ledger.setAccount(address, { ...account, owner: program, data });
    }
    chain.ledger.advanceSlots(5);
    const lines = await exportLines(exporter({ url: chain.rpcUrl }), { mintAddress: mint });
    const slot = lines[0]?.split(',')[2];
    expect(Number(slot)).toBeGreaterThan(0);
    expect(lines).toEqual([`${ownerAddress(2)},8,${slot}`, `${ownerAddress(1)},7,${slot}`]);
  });
});

describe('the room for files', () => {
  test('ends an export whose file does not fit, deletes its pieces, and counts the files in progress', async () => {
    // Ids hold the time at which an operation began, and the database knows its age.
    runner.clock.set(new Date());
    const owner = await insertAccount(db);
    const create = (input: object) =>
      runner.create(owner, 'audience_export', { mintAddress: MINT, ...input });
    const other = await create({ top: 1 });
    const id = await create({ top: 2 });
    const writing = {
      slot: '1',
      holders: '9',
      written: '1',
      chunks: 1,
      byteLength: String(2_147_483_648n - 65_536n),
    };
    await db`
      update operations set status = 'running', started_at = now(), due_at = now() + interval '1 hour', checkpoint = ${db.json(writing)}
      where id = ${other}`;
    await runner.runDue(exporter(await node()));
    expect(await stateOf(id)).toMatchObject({
      status: 'failed',
      errorCode: 'operation_limit_reached',
      errorDetail: 'With this file the account would keep more than 2147483648 bytes of exports.',
    });
    expect(await workingRows(id)).toBe(0);
    const chunks = await db`select from operation_result_chunks where operation_id = ${id}`;
    expect(chunks.count).toBe(0);

    await db`update operations set checkpoint = checkpoint || '{"byteLength":"1000"}' where id = ${other}`;
    const fitting = await create({ top: 3 });
    await runner.runDue(exporter(await node()));
    expect(await stateOf(fitting)).toMatchObject({ status: 'succeeded', errorCode: null });
  });
});

describe('nodes that fail or lie', () => {
  test.each([
    ['breaks off in the middle', { truncateAt: 7_000 }],
    ['sends an account of another length', { wrongLengthAt: 6_001 }],
    ['ignores the filter', { otherMintAt: 6_002 }],
    ['does not say its slot', { withoutSlot: true }],
    ['answers an error', { refuse: true }],
    ['is unavailable', { status: 503 }],
    ['does not know the mint yet', { withoutMint: true }],
  ])('one that %s is passed over, and no part of its response is kept', async (_what, faults) => {
    const accountAt = (at: number) => ({ owner: at, amountRaw: 1n });
    const bad = await node({ count: 8_000, slot: 11n, faults, accountAt });
    const good = await node({ count: 2, accountAt });
    expect(await exportLines(exporter(bad, good))).toEqual(
      [ownerAddress(0), ownerAddress(1)].sort().map((wallet) => `${wallet},1,77`),
    );
  });

  test('all of them: the export waits and asks again, and gives a reason when it gives up', async () => {
    const bad = await node({ faults: { refuse: true } });
    const id = await start();
    const kind = exporter(bad);
    for (let runs = 0; runs < 20 && (await runner.runDue(kind)); runs += 1) await runner.makeDue(id);
    expect(bad.listings).toBe(8);
    expect(await stateOf(id)).toMatchObject({
      status: 'failed',
      errorCode: 'api_dependency_unavailable',
      errorDetail: 'No chain node could list the holders of this mint.',
    });
    expect(await workingRows(id)).toBe(0);
  });

  test('an address that no node knows as a mint fails immediately', async () => {
    const id = await start();
    await runner.runDue(exporter(await node({ faults: { withoutMint: true } })));
    expect(await stateOf(id)).toMatchObject({ status: 'failed', errorCode: 'token_not_found' });
  });
});

describe('an export that is broken off', () => {
  const many = {
    count: 20_000,
    accountAt: (at: number) => ({ owner: at % 9_000, amountRaw: BigInt(at + 1) }),
  };

  /** What an undisturbed export gives. */
  async function reference(): Promise<string[]> {
    return exportLines(exporter(await node(many)));
  }

  test('while it reads begins again, and the file is the same as without', async () => {
    const hanging = await node({ ...many, slot: 5n, faults: { hangAt: 10_000 } });
    const stop = new AbortController();
    const id = await start();
    const broken = runner.runDue(exporter(hanging), stop.signal);
    await eventually('accounts are stored', async () => (await workingRows(id)) >= 5_000);
    stop.abort();
    await broken;
    expect(await stateOf(id)).toMatchObject({ status: 'running', checkpoint: null });
    await runner.runDue(exporter(await node(many)));
    expect(linesOf(await resultOf(id))).toEqual(await reference());
  });

  test('while it writes goes on after the last piece, without asking a node', async () => {
    const source = await node(many);
    const stop = new AbortController();
    const id = await start();
    const kind = exporter(source);
    const broken = runner.runDue(
      {
        kind: kind.kind,
        run: (run) =>
          kind.run({
            ...run,
            async step(work: Parameters<typeof run.step>[0]) {
              await run.step(work);
              if ((await resultOf(id)).length > 0) stop.abort();
            },
          }),
      },
      stop.signal,
    );
    await broken;
    expect((await stateOf(id))?.checkpoint).toMatchObject({
      chunks: 1,
      written: '2900',
      slot: '77',
    });
    await source.stop();
    await runner.runDue(kind);
    expect(source.listings).toBe(1);
    expect(linesOf(await resultOf(id))).toEqual(await reference());
  });

  test('by its owner while a node is silent ends immediately', async () => {
    const brief = createTestRunner(db, 150);
    const id = await start();
    const hanging = await node({ ...many, faults: { hangAt: 6_000 } });
    const running = brief.runDue(exporter(hanging));
    await eventually('accounts are stored', async () => (await workingRows(id)) >= 5_000);
    await db.begin(async (transaction) => {
      await cancelOperation(transaction, brief.context, id);
    });
    await running;
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled' });
    expect(await workingRows(id)).toBe(0);
  });
});

test('a node is read only as fast as accounts are stored, so memory does not grow with the answer', async () => {
  const source = await node({ count: 200_000, accountAt: (at) => ({ owner: at, amountRaw: 1n }) });
  const [holders] = createTokenHolderSources([source.url]);
  if (holders === undefined) throw new Error('no source');
  const listing = holders.list(
    { mintAddress: MINT, tokenProgram: 'spl_token' },
    new AbortController().signal,
  );
  let read = 0;
  let aheadMax = 0;
  for await (const batch of listing) {
    expect(batch.length).toBeLessThanOrEqual(5_000);
    read += batch.length;
    // A slow reader: the node runs ahead until back-pressure stops it, or until it has written everything.
    await eventually('the node is held back', async () => source.isHeldBack || source.sent === 200_000);
    aheadMax = Math.max(aheadMax, source.sent - read);
  }
  expect(read).toBe(200_000);
  // The buffers of the kernel may grow to 37 MB, some 80,000 accounts. Without back-pressure the node would
  // be ahead by 195,000.
  expect(aheadMax).toBeLessThan(150_000);
});

test('the mint of the tests is an address', () => {
  expect(decodeAddress(MINT)).toEqual(MINT_BYTES);
});
