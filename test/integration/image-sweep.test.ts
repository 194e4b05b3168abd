import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { hashOf } from '../../src/features/images/image-hash.ts';
import type { ImageRow } from '../../src/features/images/record.ts';
import { recordImage } from '../../src/features/images/record-image.ts';
import { FolderStore } from '../../src/features/images/stores/folder-store.ts';
import type { ListedFile, SweptStore } from '../../src/features/images/stores/image-store.ts';
import { S3Store } from '../../src/features/images/stores/s3-store.ts';
import { sweepImages } from '../../src/features/images/sweep-images.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { S3_CREDENTIALS, startS3Server } from '../support/servers/s3-server.ts';

const HOUR_MS = 60 * 60 * 1000;

let url: string;
let database: Database;
let accountId: string;
let s3Folder: string;
let endpoint: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  database = connectDatabase(url, { applicationName: 'test', connections: 4 });
  atEnd(() => database.end({ timeout: 1 }));
  ({ accountId } = await createTestKey(database));
  s3Folder = createTempDir('s3');
  endpoint = await startS3Server(s3Folder);
});

/** A store of a test alone. */
interface Stage {
  store: SweptStore;
  environment: Record<string, string>;
  /** Where the store has a name, as `list` spells it. */
  pathOf(name: string): string;
}

const ageOf = (ageMs: number) => new Date(Date.now() - ageMs);

function folderStage(): Stage {
  const folder = createTempDir('image-folder');
  const pathOf = (name: string) => join(folder, name.length === 64 ? join(name.slice(0, 2), name) : name);
  return { store: new FolderStore(folder), environment: { IMAGE_FOLDER: folder }, pathOf };
}

let buckets = 0;
function bucketStage(): Stage {
  buckets += 1;
  const bucket = `images-${buckets}`;
  mkdirSync(join(s3Folder, bucket));
  const pathOf = (name: string) =>
    join(s3Folder, bucket, `${name.length === 64 ? `images/${name}` : name}._S3rver_object`);
  const environment = {
    IMAGE_BUCKET: bucket,
    IMAGE_BUCKET_ENDPOINT: endpoint,
    IMAGE_BUCKET_KEY_ID: S3_CREDENTIALS.accessKeyId,
    IMAGE_BUCKET_SECRET_KEY: S3_CREDENTIALS.secretAccessKey,
  };
  const settings = { bucket, endpoint, region: 'us-east-1', credentials: S3_CREDENTIALS };
  return { store: new S3Store(settings), environment, pathOf };
}

let images = 0;
/** Stores an image that is as old as that. */
async function put({ store, pathOf }: Stage, ageMs: number): Promise<string> {
  images += 1;
  const bytes = Buffer.from(`image ${images}`);
  const hash = hashOf(bytes);
  await store.put({ hash, bytes, mediaType: 'image/png' });
  // The stand-in of S3 answers before it has written all.
  await eventually('the image is written', async () => {
    return statSync(pathOf(hash), { throwIfNoEntry: false })?.size === bytes.byteLength;
  });
  utimesSync(pathOf(hash), ageOf(ageMs), ageOf(ageMs));
  return hash;
}

function rowOf(hash: string): ImageRow {
  const sizes = { width: 1, height: 1, byteLength: 1 };
  return { accountId, sourceHash: hash, hash, contentType: 'image/png', ...sizes, createdAt: new Date() };
}

const name = (hash: string) => database.begin((transaction) => recordImage(transaction, rowOf(hash)));

async function namesIn(store: SweptStore): Promise<string[]> {
  return (await Array.fromAsync(store.list())).map((file) => file.name).sort();
}

function sweep(store: SweptStore, isApplied = true) {
  return sweepImages({ database, store, isApplied, now: new Date(), report: () => {} });
}

async function runSweep({ environment }: Stage, ...args: string[]) {
  const all = ['images', 'sweep', '--json', ...args];
  const { code, output } = await runAdmin(all, { DATABASE_URL: url, ...environment });
  return { code, output, result: code === 0 ? JSON.parse(output) : null };
}

describe.each([
  ['folder', folderStage],
  ['bucket', bucketStage],
])('a sweep of a %s', (kind, open) => {
  test('deletes with --apply what no row names and is older than an hour, and nothing else', async () => {
    const stage = open();
    const { store, pathOf } = stage;
    const stays = [await put(stage, 2 * HOUR_MS), await put(stage, HOUR_MS - 60_000)];
    await name(stays[0] ?? '');
    await store.probe();
    const orphan = await put(stage, HOUR_MS + 60_000);
    const write = (path: string, ageMs: number) => {
      writeFileSync(pathOf(path), 'unknown');
      utimesSync(pathOf(path), ageOf(ageMs), ageOf(ageMs));
      return path;
    };
    const foreign =
      kind === 'bucket'
        ? ['images/a.png', `images/${orphan}.png`]
        : ['a.png', 'lost+found', `${orphan.slice(0, 2)}/.nfs1`, `${orphan.slice(0, 2)}/${'z'.repeat(63)}`];
    for (const path of foreign)
      if (path === 'lost+found') mkdirSync(pathOf(path));
      else write(path, 2 * HOUR_MS);
    const goes = [orphan];
    if (kind === 'folder') {
      goes.push(write('arriving/killed', 2 * HOUR_MS));
      stays.push(write('arriving/written', 1));
    }
    const before = await namesIn(store);
    expect(before).toEqual([...stays, ...goes, ...foreign].sort());

    const seen = await runSweep(stage);
    expect(seen.result).toMatchObject({
      applied: false,
      named: { files: 1 },
      young: { files: stays.length - 1 },
      orphaned: { files: 1, bytes: `image ${images}`.length },
      unfinished: { files: goes.length - 1 },
      foreign: { files: foreign.length },
      removed: { files: 0, bytes: 0 },
    });
    expect(seen.result.foreignNames.sort()).toEqual(foreign.sort());
    const unasked = await runSweep(stage, '--apply');
    expect(unasked).toMatchObject({ code: 1, output: expect.stringContaining('add --yes') });
    expect(await namesIn(store)).toEqual(before);

    const { result } = await runSweep(stage, '--apply', '--yes');
    expect(result).toMatchObject({ applied: true, removed: { files: goes.length } });
    expect(await namesIn(store)).toEqual([...stays, ...foreign].sort());
    const again = await runSweep(stage, '--apply', '--yes');
    expect(again.result).toMatchObject({ named: { files: 1 }, removed: { files: 0 } });
  });

  test('looks up batch after batch, and may run twice at the same time', async () => {
    const stage = open();
    const named: string[] = [];
    for (let at = 0; at < 130; at += 1) {
      const hash = await put(stage, 2 * HOUR_MS);
      if (at % 10 === 0) named.push(hash);
    }
    for (const hash of named) await name(hash);
    const seen = await sweep(stage.store, false);
    expect([seen.named.files, seen.orphaned.files]).toEqual([13, 117]);
    // The stand-in of S3 cannot list while objects are removed.
    if (kind === 'folder') await Promise.all([sweep(stage.store), sweep(stage.store)]);
    // Either leaves what the other has locked.
    await sweep(stage.store);
    expect(await namesIn(stage.store)).toEqual(named.sort());
  });

  test('of another deployment deletes nothing', async () => {
    const stage = open();
    const orphan = await put(stage, 2 * HOUR_MS);
    const { code, output } = await runSweep(stage, '--apply', '--yes');
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('different deployments') });
    expect(await namesIn(stage.store)).toEqual([orphan]);
  });

  test('says why the store cannot be listed', async () => {
    const missing = { IMAGE_FOLDER: join(createTempDir('images'), 'missing') };
    const environment = kind === 'folder' ? missing : { ...open().environment, IMAGE_BUCKET: 'missing' };
    const { code, output } = await runSweep({ ...open(), environment });
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/cannot be listed: \w+/) });
  });
});

test('takes no file out of another folder, and no foreign one', async () => {
  const { store, pathOf } = folderStage();
  await store.probe();
  writeFileSync(pathOf('a.png'), '');
  await store.remove({ kind: 'arriving', name: '../a.png' });
  for (const kind of ['image', 'foreign'] as const)
    await expect(store.remove({ kind, name: 'a.png' })).rejects.toThrow();
  expect(await namesIn(store)).toEqual(['a.png']);
});

describe('an image that is stored during a sweep', () => {
  /** A store whose removals do something before. */
  const removing = (store: SweptStore, before: (file: Pick<ListedFile, 'kind'>) => Promise<unknown>) =>
    Object.assign(Object.create(store) as SweptStore, {
      list: () => store.list(),
      remove: async (file: Pick<ListedFile, 'kind' | 'name'>) => {
        await before(file);
        await store.remove(file);
      },
    });

  test('stays when its row is not committed yet', async () => {
    const stage = folderStage();
    const hash = await put(stage, 2 * HOUR_MS);
    await database.begin(async (transaction) => {
      await recordImage(transaction, rowOf(hash));
      expect(await sweep(stage.store)).toMatchObject({ orphaned: { files: 1 }, removed: { files: 0 } });
    });
    expect(await namesIn(stage.store)).toEqual([hash]);
  });

  test('stays when its row came after the look-up of its batch', async () => {
    const stage = folderStage();
    const hash = await put(stage, 2 * HOUR_MS);
    writeFileSync(stage.pathOf('arriving/killed'), '');
    utimesSync(stage.pathOf('arriving/killed'), ageOf(2 * HOUR_MS), ageOf(2 * HOUR_MS));
    const store = removing(stage.store, async ({ kind }) => kind === 'arriving' && name(hash));
    expect(await sweep(store)).toMatchObject({ orphaned: { files: 1 }, removed: { files: 1 } });
    expect(await namesIn(stage.store)).toEqual([hash]);
  });

  test('gets its row, and so its bytes, when its file is gone', async () => {
    const stage = folderStage();
    const hash = await put(stage, 2 * HOUR_MS);
    let naming: Promise<unknown> | undefined;
    const steps: string[] = [];
    const store = removing(stage.store, async () => {
      naming = name(hash).then(() => steps.push('named'));
      await eventually('the upload waits for the sweep', async () => {
        const waiting = await database`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
        return waiting.length === 1;
      });
      steps.push('removed');
    });
    await sweep(store);
    await naming;
    expect(steps).toEqual(['removed', 'named']);
    expect(await namesIn(stage.store)).toEqual([]);
  });
});
