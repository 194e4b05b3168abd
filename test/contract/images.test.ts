import { beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { DecoderEnd } from '../../src/features/images/decoding/run-decoder.ts';
import { hashOf } from '../../src/features/images/image-hash.ts';
import { FolderStore } from '../../src/features/images/stores/folder-store.ts';
import { type ImageStore, ImageStoreFailure } from '../../src/features/images/stores/image-store.ts';
import { takeImage } from '../../src/features/images/take-image.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { accountClient } from '../../src/shared/gate.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { expectRate } from '../support/api/rate-headers.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { drawing, sampleImage } from '../support/images/sample-image.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { parseExposition } from '../support/telemetry/exposition.ts';

/** The budget of reads hardly refills during a test. */
const RATE_LIMITS =
  '{"image-upload":{"limit":10000,"windowSeconds":60},"public-read-cheap":{"limit":6000,"windowSeconds":86400}}';

/** A store that can fail and lose. */
class TestStore implements ImageStore {
  readonly #inner: ImageStore;
  readonly puts: string[] = [];
  failing = false;
  answer: ((hash: string) => Uint8Array | null) | null = null;

  constructor(inner: ImageStore) {
    this.#inner = inner;
  }

  async put(image: Parameters<ImageStore['put']>[0]): Promise<void> {
    if (this.failing) throw new ImageStoreFailure('the disk is full');
    this.puts.push(image.hash);
    await this.#inner.put(image);
  }

  async get(hash: string): Promise<Uint8Array | null> {
    if (this.failing) throw new ImageStoreFailure('the disk is gone');
    return this.answer === null ? this.#inner.get(hash) : this.answer(hash);
  }

  probe(): Promise<void> {
    return this.#inner.probe();
  }
}

let folder: string;
let store: TestStore;
let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  folder = createTempDir('images');
  api = await startTestApi({ environment: { IMAGE_FOLDER: folder, RATE_LIMITS } });
  key = await createTestKey(api.dependencies.database);
  store = new TestStore(new FolderStore(folder));
});

/** Another api over the same database whose store the test moves. */
async function apiWithStore(): Promise<TestApi> {
  const { ImageReader } = await import('../../src/features/images/serve-image.ts');
  return startTestApi({
    database: api.database,
    environment: { RATE_LIMITS },
    adjust(dependencies) {
      dependencies.imageStore = store;
      const { database, gates, log, imageMetrics } = dependencies;
      const gate = gates.images;
      dependencies.imageReader = new ImageReader(store, { database, gate, log, imageMetrics });
    },
  });
}

interface Options {
  on?: TestApi;
  as?: TestKey;
}

function post(
  bytes: Uint8Array | string,
  type: string,
  { on = api, as = key }: Options = {},
): Promise<Response> {
  return fetch(`${on.baseUrl}/images`, {
    method: 'POST',
    headers: { ...as.header, 'content-type': type },
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
}

async function upload(bytes: Uint8Array, type: string, options: Options = {}) {
  const response = await post(bytes, type, options);
  // biome-ignore lint/suspicious/noExplicitAny: the schema is tested with OpenAPI
  const body = (await response.json()) as any;
  expect([response.status, body.code]).toEqual([201, undefined]);
  return { response, body };
}

const read = (hash: string, init: RequestInit = {}, on = api) => fetch(`${on.origin}/images/${hash}`, init);

describe('createImage (contract/images#image)', () => {
  test.each([
    ['png', 'image/png', 'image/png'],
    ['jpeg', 'image/jpeg', 'image/jpeg'],
    ['gif', 'image/gif', 'image/png'],
    ['webp', 'image/webp', 'image/webp'],
  ] as const)('takes a %s, and serves its bytes under their hash', async (format, sent, stored) => {
    const { body, response } = await upload(await sampleImage(format, 40, 20), sent);
    expect(body).toMatchObject({ contentType: stored, width: 40, height: 20 });
    expect(body.imageUrl).toBe(`image:${body.hash}`);
    expect(body.url).toBe(`http://api.test/images/${body.hash}`);
    expect(response.headers.get('location')).toBe(`/images/${body.hash}`);
    const served = await read(body.hash);
    expect(served.status).toBe(200);
    const bytes = await served.bytes();
    expect(hashOf(bytes)).toBe(body.hash);
    expect(bytes.byteLength).toBe(body.byteLength);
    const { headers } = served;
    expect(headers.get('content-type')).toBe(stored);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('etag')).toBe(`"${body.hash}"`);
  });

  test('keeps nothing of a file but its pixels', async () => {
    const secret = 'THE-SECRET-OF-THE-CAMERA';
    const jpeg = await drawing(30, 10)
      .jpeg()
      .withExif({ IFD0: { Copyright: secret, ImageDescription: '<script>alert(1)</script>' } })
      .toBuffer();
    expect(jpeg.includes(secret)).toBe(true);
    const polyglot = Buffer.concat([jpeg, Buffer.from(`PK\u0003\u0004<script>${secret}</script>`)]);
    const { body } = await upload(polyglot, 'image/jpeg');
    const stored = Buffer.from(await (await read(body.hash)).bytes());
    expect(stored.includes(secret)).toBe(false);
    expect(stored.includes('<script>')).toBe(false);
    expect(await sharp(stored).metadata()).not.toHaveProperty('exif');
  });

  test('turns a picture as its camera was held, reduces a large one, and takes the first frame of an animation', async () => {
    const held = await drawing(30, 10).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect((await upload(held, 'image/jpeg')).body).toMatchObject({ width: 10, height: 30 });
    const { body } = await upload(await sampleImage('png', 3_000, 1_500), 'image/png');
    const { imageSide } = unpublishedLimits;
    expect(body).toMatchObject({ width: imageSide, height: imageSide / 2 });
    const frames = await Promise.all(
      ['#ff0000', '#00ff00'].map((colour) => sampleImage('png', 8, 8, colour)),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const first = await upload(animation, 'image/gif');
    expect(first.body).toMatchObject({ contentType: 'image/png', width: 8, height: 8 });
    const { data } = await sharp(await (await read(first.body.hash)).bytes())
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 0, 0]);
  });

  test('gives the same answer for the same file, also at the same time, and counts it once', async () => {
    const as = await createTestKey(api.dependencies.database);
    const file = await sampleImage('png', 21, 21);
    const answers = await Promise.all([1, 2, 3].map(() => upload(file, 'image/png', { as })));
    const again = await upload(file, 'image/png', { as });
    for (const { body } of answers) expect(body).toEqual(again.body);
    const rows = await api.dependencies.database`select 1 from images where account_id = ${as.accountId}`;
    expect(rows.length).toBe(1);
    const other = await upload(file, 'image/png', { as: await createTestKey(api.dependencies.database) });
    expect(other.body.hash).toBe(again.body.hash);
  });
});

describe('a file that cannot be stored (contract/images#refused)', () => {
  const reasonOf = async (bytes: Uint8Array | string, type: string) => {
    const problem = await expectProblem(await post(bytes, type), 'image_invalid');
    return problem.context?.reason;
  };

  test('is refused with its reason', async () => {
    const png = await sampleImage('png', 200, 200);
    expect(await reasonOf('', 'image/png')).toBe('not_an_image');
    expect(await reasonOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png')).toBe('not_an_image');
    expect(await reasonOf(png, 'image/jpeg')).toBe('type_mismatch');
    expect(await reasonOf(png.subarray(0, 60), 'image/png')).toBe('corrupt');
    const wide = await sampleImage('png', 10_000, unpublishedLimits.imagePixels / 10_000 + 1);
    expect(await reasonOf(wide, 'image/png')).toBe('too_many_pixels');
  });

  test('is 415 with another media type, 413 with too many bytes, declared or counted', async () => {
    for (const type of ['image/svg+xml', 'application/json', 'text/html'])
      expect((await expectProblem(await post('{}', type), 'unsupported_content_type')).detail).toContain(
        'image/webp',
      );
    const most = new Uint8Array(unpublishedLimits.imageBytes);
    await expectProblem(await post(most, 'image/png'), 'image_invalid');
    const bytes = new Uint8Array(unpublishedLimits.imageBytes + 1);
    const { detail } = await expectProblem(await post(bytes, 'image/png'), 'request_body_too_large');
    expect(detail).toBe('The body is larger than 5,242,880 bytes.');
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    const headers = { ...key.header, 'content-type': 'image/png' };
    const counted = await fetch(`${api.baseUrl}/images`, { method: 'POST', headers, body });
    await expectProblem(counted, 'request_body_too_large');
  });

  test('leaves the connection open when all of it was read', async () => {
    const png = Buffer.alloc(4_500_000, 1);
    const head = `POST /api/v2/images HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key.header.authorization}\r\nContent-Type: image/png\r\nContent-Length: ${png.byteLength}\r\n\r\n`;
    const answer = await sendRaw(api.origin, head, { parts: [{ text: png.toString('latin1') }] });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('connection')).not.toBe('close');
  });

  test('is 503 where nothing is configured', async () => {
    const unconfigured = await startTestApi({ database: api.database });
    const response = await post(await sampleImage('png'), 'image/png', { on: unconfigured });
    expect(response.headers.get('retry-after')).toBe('3600');
    await expectProblem(response, 'images_unavailable');
    expect((await read('a'.repeat(64), {}, unconfigured)).status).toBe(404);
  });

  test('is decoded beside one of another account, and never beside one of the same', async () => {
    const decoding = Promise.withResolvers<void>();
    const end = Promise.withResolvers<DecoderEnd>();
    const runDecoder = () => {
      decoding.resolve();
      return end.promise;
    };
    const upload = {
      accountId: key.accountId,
      bytes: Buffer.from('a file'),
      mediaType: 'image/png',
    } as const;
    const taken = takeImage(upload, { ...api.dependencies, runDecoder });
    await decoding.promise;
    const { decoderGate } = api.dependencies;
    const other = accountClient(crypto.randomUUID());
    expect([accountClient(key.accountId), other].map((one) => decoderGate.tryTake(one))).toEqual([
      false,
      true,
    ]);
    decoderGate.release(other);
    end.resolve({ outcome: 'refused', reason: 'corrupt', died: false });
    await expect(taken).rejects.toMatchObject({ code: 'image_invalid' });
  });

  test('is 409 when the account has uploaded its images of a day, and no earlier file is', async () => {
    const { database } = api.dependencies;
    const as = await createTestKey(database);
    const file = await sampleImage('png', 9, 9);
    const { body } = await upload(file, 'image/png', { as });
    const { imagesPerDay, imageBytesPerDay } = unpublishedLimits;
    await database`
      insert into images (account_id, source_hash, hash, content_type, width, height, byte_length, created_at)
      select ${as.accountId}, lpad(to_hex(n), 64, '0'), ${'b'.repeat(64)}, 'image/png', 1, 1, 10, now()
      from generate_series(1, ${imagesPerDay - 1}) n`;
    const refused = await post(await sampleImage('png', 10, 9), 'image/png', { as });
    const { context } = await expectProblem(refused, 'image_limit_reached');
    expect(context).toMatchObject({ imagesPerDay, bytesPerDay: imageBytesPerDay, images: imagesPerDay });
    expect((await upload(file, 'image/png', { as })).body).toEqual(body);
    await database`update images set created_at = now() - interval '25 hours' where account_id = ${as.accountId}`;
    await database`update images set byte_length = ${imageBytesPerDay}, created_at = now()
      where account_id = ${as.accountId} and hash = ${body.hash}`;
    await expectProblem(
      await post(await sampleImage('png', 11, 9), 'image/png', { as }),
      'image_limit_reached',
    );
  });

  test('puts no byte into the store for which the account has no room', async () => {
    const { database } = api.dependencies;
    const as = await createTestKey(database);
    const { imageBytesPerDay } = unpublishedLimits;
    await database`
      insert into images (account_id, source_hash, hash, content_type, width, height, byte_length, created_at)
      values (${as.accountId}, ${'d'.repeat(64)}, ${'d'.repeat(64)}, 'image/png', 1, 1, ${imageBytesPerDay - 10}, now())`;
    const before = storedFiles();
    for (const side of [51, 52, 53])
      await expectProblem(
        await post(await sampleImage('png', side, 9), 'image/png', { as }),
        'image_limit_reached',
      );
    expect(storedFiles()).toEqual(before);
  });
});

const storedFiles = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

/** Noise does not become smaller: about four bytes a pixel. */
const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();

describe('an address of an image (contract/images#address)', () => {
  test('answers HEAD, and 304 to a client that has the bytes', async () => {
    const { body } = await upload(await sampleImage('webp', 12, 12), 'image/webp');
    const head = await read(body.hash, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await head.bytes()).byteLength).toBe(0);
    const known = await read(body.hash, { headers: { 'if-none-match': `W/"x", "${body.hash}"` } });
    expect(known.status).toBe(304);
    expect(known.headers.get('cache-control')).toContain('immutable');
    expect((await read(body.hash, { method: 'DELETE' })).status).toBe(404);
  });

  test('shows nothing of a file that no row names, that has other bytes, or that is gone', async () => {
    const stray = randomBytes(100);
    const folderStore = new FolderStore(folder);
    const png = await noise(8);
    for (const bytes of [stray, png]) await folderStore.put({ hash: hashOf(bytes), bytes });
    for (const bytes of [stray, png]) await expectProblem(await read(hashOf(bytes)), 'not_found');
    const { body } = await upload(await sampleImage('png', 61, 12), 'image/png');
    const path = join(folder, body.hash.slice(0, 2), body.hash);
    const bytes = await Bun.file(path).bytes();
    for (let times = 0; times < 2; times += 1)
      expect(await (await read(body.hash)).bytes()).toEqual(new Uint8Array(bytes));
    await Bun.write(path, bytes.toReversed());
    await expectProblem(await read(body.hash), 'api_dependency_unavailable');
    await Bun.write(path, bytes);
    expect((await read(body.hash)).status).toBe(200);
    rmSync(path);
    await expectProblem(await read(body.hash), 'not_found');
  });

  test('counts as a request for each 64 KiB that it sends', async () => {
    const { body } = await upload(await noise(300), 'image/png');
    expect(body.byteLength).toBeGreaterThan(4 * 65_536);
    const cost = Math.ceil(body.byteLength / 65_536);
    const left = async (init: RequestInit = {}) => {
      const response = await read(body.hash, init);
      const { byteLength } = await response.bytes();
      expectRate(response, 'public-read-cheap', { limit: 6_000, windowSeconds: 86_400 });
      return [Number(response.headers.get('x-ratelimit-remaining')), byteLength] as const;
    };
    for (let times = 0; times < 2; times += 1) {
      const [before] = await left({ method: 'HEAD' });
      const [after, sent] = await left();
      expect(before - after).toBeGreaterThan(cost - 3);
      expect(before - after).toBeLessThanOrEqual(cost);
      expect(sent).toBe(body.byteLength);
      const [known, none] = await left({ headers: { 'if-none-match': `"${body.hash}"` } });
      expect(after - known).toBeLessThanOrEqual(1);
      expect(none).toBe(0);
    }
  });

  test('is sent with its own headers alone, also in part, once its bytes were compared', async () => {
    const { body } = await upload(await sampleImage('png', 62, 12), 'image/png');
    const names = async (init: RequestInit) => {
      const response = await read(body.hash, init);
      await response.bytes();
      return [response.status, [...response.headers.keys()].sort()];
    };
    const first = [await names({}), await names({ method: 'HEAD' })];
    expect([await names({}), await names({ method: 'HEAD' })]).toEqual(first);
    const whole = await (await read(body.hash)).bytes();
    const part = await read(body.hash, { headers: { range: 'bytes=2-9' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-9/${whole.byteLength}`]);
    expect(await part.bytes()).toEqual(whole.slice(2, 10));
    const beyond = await read(body.hash, { headers: { range: 'bytes=9999999-' } });
    expect([200, 416]).toContain(beyond.status);
  });

  test.each([
    ['f'.repeat(64), 404],
    ['F'.repeat(64), 422],
    ['..%2f..%2fetc%2fpasswd', 422],
    ['%2e%2e', 422],
    [`${'a'.repeat(64)}%00.png`, 422],
    ['arriving', 422],
    [`${'a'.repeat(63)}%2f`, 422],
  ] as const)('is no path: %s', async (text, status) => {
    const { origin } = new URL(api.origin);
    const answer = await sendRaw(origin, `GET /images/${text} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(answer.status).toBe(status);
  });
});

describe('a store that fails', () => {
  test('is a 503 of the upload, and the repetition goes on', async () => {
    const on = await apiWithStore();
    const file = await sampleImage('png', 31, 31);
    store.failing = true;
    await expectProblem(await post(file, 'image/png', { on }), 'api_dependency_unavailable');
    // The row keeps the room of the day for the repetition.
    const rows = await api.dependencies.database`select 1 from images where source_hash = ${hashOf(file)}`;
    expect(rows.length).toBe(1);
    store.failing = false;
    const { body } = await upload(file, 'image/png', { on });
    store.failing = true;
    await expectProblem(await read(body.hash, {}, on), 'api_dependency_unavailable');
    store.failing = false;
    expect((await read(body.hash, {}, on)).status).toBe(200);
  });

  test('and has lost or changed an image gets it again; other bytes are never served', async () => {
    const on = await apiWithStore();
    const file = await sampleImage('png', 33, 33);
    const { body } = await upload(file, 'image/png', { on });
    const lies = [() => null, () => Buffer.from('<script>'), () => Buffer.alloc(6_000_000)];
    for (const lie of lies) {
      store.answer = lie;
      expect([404, 503]).toContain((await read(body.hash, {}, on)).status);
      store.puts.length = 0;
      expect((await upload(file, 'image/png', { on })).body).toEqual(body);
      expect(store.puts).toEqual([body.hash]);
    }
    store.answer = null;
    expect(hashOf(await (await read(body.hash, {}, on)).bytes())).toBe(body.hash);
  });
});

test('uploads and reads are counted by their outcome, with their bytes and the time of the decoder', async () => {
  const on = await apiWithStore();
  const as = await createTestKey(api.dependencies.database);
  const file = await sampleImage('png', 41, 41);
  const { body } = await upload(file, 'image/png', { on, as });
  await upload(file, 'image/png', { on, as });
  await post('<svg/>', 'image/png', { on, as });
  store.failing = true;
  await read(body.hash, {}, on);
  await post(await sampleImage('png', 42, 42), 'image/png', { on, as });
  store.failing = false;
  for (let times = 0; times < 2; times += 1) await read(body.hash, {}, on);
  await read('e'.repeat(64), {}, on);
  const { samples } = parseExposition(await on.metrics());
  const counted = (name: string) => samples.get(`launchwire_image_${name}`);
  const uploads = ['stored', 'repeated', 'not_an_image', 'failed', 'busy'].map((outcome) =>
    counted(`uploads_total{outcome="${outcome}"}`),
  );
  expect(uploads).toEqual([1, 1, 1, 1, 0]);
  const reads = ['memory', 'store', 'missing', 'failed'].map((result) =>
    counted(`reads_total{result="${result}"}`),
  );
  expect(reads).toEqual([1, 1, 1, 1]);
  expect(counted('bytes_total{flow="stored"}')).toBe(body.byteLength);
  expect(counted('bytes_total{flow="read"}')).toBe(2 * body.byteLength);
  expect(counted('bytes_total{flow="uploaded"}')).toBeGreaterThan(2 * file.byteLength);
  expect(counted('decode_seconds_count{outcome="decoded"}')).toBe(2);
  expect(counted('decode_seconds_count{outcome="refused"}')).toBe(1);
});
