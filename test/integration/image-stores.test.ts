import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../../src/features/images/image-hash.ts';
import { FolderStore } from '../../src/features/images/stores/folder-store.ts';
import {
  type ImageStore,
  ImageStoreFailure,
  readImage,
} from '../../src/features/images/stores/image-store.ts';
import { S3Store } from '../../src/features/images/stores/s3-store.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { S3_CREDENTIALS, startS3Server } from '../support/servers/s3-server.ts';

const bytes = Buffer.from('the bytes of an image');
const image = { hash: hashOf(bytes), bytes, mediaType: 'image/png' };

let endpoint: string;
let folder: string;

const bucket = (settings: { endpoint?: string; bucket?: string } = {}, timeoutMs?: number) =>
  new S3Store(
    { bucket: 'images', endpoint, region: 'us-east-1', credentials: S3_CREDENTIALS, ...settings },
    timeoutMs,
  );

beforeAll(async () => {
  folder = createTempDir('image-folder');
  endpoint = await startS3Server(createTempDir('s3'), ['images']);
});

/** A service that answers every request like this. */
function service(answer: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: answer });
  atEnd(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

const MODIFIED = '<LastModified>2026-11-20T10:00:00.000Z</LastModified>';

const failureOf = (call: Promise<unknown>) => expect(call).rejects.toBeInstanceOf(ImageStoreFailure);

describe.each([
  ['folder', (): ImageStore => new FolderStore(folder)],
  ['bucket', (): ImageStore => bucket()],
])('a %s', (_kind, open) => {
  test('gives back what it was given, under its hash, however often and at the same time', async () => {
    const store = open();
    expect(await store.get(image.hash)).toBeNull();
    await Promise.all([1, 2, 3].map(() => store.put(image)));
    await store.put(image);
    expect(Buffer.from((await readImage(store, image.hash)) ?? '')).toEqual(bytes);
    await store.probe();
  });

  test('takes no text but a hash for a name', async () => {
    const store = open();
    for (const hash of ['../../etc/passwd', '', 'A'.repeat(64), `${image.hash}/..`, `${image.hash}\0`]) {
      await expect(store.put({ ...image, hash })).rejects.toThrow();
      await expect(store.get(hash)).rejects.toThrow();
    }
  });

  test('is not believed when its bytes are others than those of the hash', async () => {
    const store = open();
    const hash = hashOf(Buffer.from('other bytes'));
    await store.put({ ...image, hash }).catch(() => undefined);
    if ((await store.get(hash)) !== null) await failureOf(readImage(store, hash));
  });
});

describe('a folder', () => {
  test('shows an image when it is whole, and no rest of one that could not be written', async () => {
    const root = createTempDir('image-folder');
    const store = new FolderStore(root);
    mkdirSync(join(root, image.hash.slice(0, 2)));
    // A folder in the place of the file: the file cannot get its name.
    mkdirSync(join(root, image.hash.slice(0, 2), image.hash));
    await failureOf(store.put(image));
    expect(readdirSync(join(root, 'arriving'))).toEqual([]);
  });

  test('that cannot be used is a failure, and not an absent image', async () => {
    const file = join(createTempDir('image-folder'), 'file');
    writeFileSync(file, '');
    const store = new FolderStore(file);
    await failureOf(store.put(image));
    await failureOf(store.get(image.hash));
    await failureOf(store.probe());
  });

  test.skipIf(!existsSync('/dev/full'))('that is full keeps nothing', async () => {
    await failureOf(new FolderStore('/dev/full').put(image));
  });
});

describe('a bucket', () => {
  test('that is gone, refuses, or does not exist is a failure', async () => {
    await failureOf(bucket({ endpoint: 'http://127.0.0.1:9' }).get(image.hash));
    await failureOf(bucket({ bucket: 'another' }).put(image));
    const refusing = service(() => new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403 }));
    await failureOf(bucket({ endpoint: refusing }).get(image.hash));
    const failing = service(() => new Response('', { status: 500 }));
    await failureOf(bucket({ endpoint: failing }).put(image));
  });

  test('that does not answer is given up', async () => {
    const silent = service(() => new Promise<Response>(() => undefined));
    await failureOf(bucket({ endpoint: silent }, 300).get(image.hash));
    await failureOf(bucket({ endpoint: silent }, 300).put(image));
  });

  test('that sends without an end is given up', async () => {
    const endless = service(
      () =>
        new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
        ),
    );
    await failureOf(readImage(bucket({ endpoint: endless }, 2_000), image.hash));
  });

  test('is listed page after page, without what the probe leaves', async () => {
    const keys = [image.hash, 'probe', hashOf(Buffer.from('other bytes')), 'a.png'];
    const asked: string[] = [];
    const store = bucket({
      endpoint: service(({ url }) => {
        const { searchParams } = new URL(url);
        const from = Number(searchParams.get('continuation-token') ?? 0);
        asked.push(`${searchParams.get('prefix')} ${from}`);
        const contents = keys
          .slice(from, from + 2)
          .map((key) => `<Contents><Key>images/${key}</Key><Size>7</Size>${MODIFIED}</Contents>`);
        const next = from + 2 < keys.length && `<NextContinuationToken>${from + 2}</NextContinuationToken>`;
        return new Response(`<ListBucketResult>${contents.join('')}${next || ''}</ListBucketResult>`);
      }),
    });
    const listed = await Array.fromAsync(store.list());
    const facts = { byteLength: 7, modifiedAt: new Date('2026-11-20T10:00:00Z') };
    expect(listed).toEqual([
      { kind: 'image', name: image.hash, ...facts },
      { kind: 'image', name: keys[2] ?? '', ...facts },
      { kind: 'foreign', name: 'images/a.png', ...facts },
    ]);
    expect(asked).toEqual(['images/ 0', 'images/ 2']);
  });

  test('gets the hash of what is sent, to compare', async () => {
    let sent: string | null = null;
    const store = bucket({
      endpoint: service((request) => {
        sent = request.headers.get('x-amz-checksum-sha256');
        return new Response('');
      }),
    });
    await store.put(image);
    expect(sent as string | null).toBe(Buffer.from(image.hash, 'hex').toString('base64'));
  });
});
