import { describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { imageFiles, imagesOf } from '../../ops/docker/pinned-images.ts';
import { runCommand } from '../../sandbox/services/command.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const root = new URL('../../', import.meta.url).pathname;

/** A registry that asks for a token, and gives each image a list of platforms of its own. */
class Registry {
  readonly #server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) });
  release = 1;
  lies = false;
  missing = '';

  get origin(): string {
    return this.#server.url.origin;
  }

  stop(): Promise<void> {
    return this.#server.stop(true);
  }

  digestOf(image: string): string {
    return `sha256:${new Bun.CryptoHasher('sha256').update(this.#manifest(image)).digest('hex')}`;
  }

  #manifest(image: string): string {
    return JSON.stringify({ schemaVersion: 2, image, release: this.release });
  }

  #answer(request: Request): Response {
    const url = new URL(request.url);
    if (url.pathname === '/token') return Response.json({ token: `for ${url.searchParams.get('scope')}` });
    const [, repository = '', tag = ''] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(url.pathname) ?? [];
    const scope = `repository:${repository}:pull`;
    if (request.headers.get('authorization') !== `Bearer for ${scope}`) {
      const challenge = `Bearer realm="${this.origin}/token",service="registry",scope="${scope}"`;
      return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } });
    }
    const image = `${repository}:${tag}`;
    if (image.startsWith(`${this.missing}:`)) return new Response('not found', { status: 404 });
    const digest = this.lies ? `sha256:${'0'.repeat(64)}` : this.digestOf(image);
    return new Response(this.#manifest(image), { headers: { 'docker-content-digest': digest } });
  }
}

function stage() {
  const registry = new Registry();
  atEnd(() => registry.stop());
  const folder = createTempDir('images');
  for (const file of imageFiles) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  const pin = (...options: string[]) => {
    const script = join(root, 'ops/docker/pin-images.ts');
    return runCommand(process.execPath, [script, '--registry', registry.origin, ...options], { cwd: folder });
  };
  const texts = () => imageFiles.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  return { registry, pin, texts };
}

describe('the digests of images (docs/operations/releases.md)', () => {
  test('are written for every image, and stay as they are when they are written again', async () => {
    const { registry, pin, texts } = stage();
    expect((await pin()).succeeded).toBe(true);
    const once = texts();
    const named = ['oven/bun', 'postgres', 'nats', 'redis', 'haproxy'];
    for (const name of named) expect(once).toMatch(new RegExp(`[-=]${name}:[\\w.-]+@sha256:[0-9a-f]{64}`));
    const [, tag] = /postgres:([\w.]+)@/.exec(once) ?? [];
    expect(once).toContain(`:-postgres:${tag}@${registry.digestOf(`library/postgres:${tag}`)}}`);
    expect(once).toMatch(/repository: nats\n +tag: [\w.-]+@sha256:[0-9a-f]{64}\n/);
    expect((await pin()).succeeded).toBe(true);
    expect(texts()).toBe(once);
    expect((await pin('--check')).succeeded).toBe(true);
  });

  test('belong to exact versions, in every file of ops that names an image of others', () => {
    const files = ['Dockerfile', 'compose.yaml', ...new Bun.Glob('ops/**/*.yaml').scanSync(root)];
    const all = files.map((file) => ({ file, images: imagesOf(readFileSync(join(root, file), 'utf8')) }));
    const naming = all.filter(({ images }) => images.length > 0);
    expect(naming.map(({ file }) => file).sort()).toEqual([...imageFiles].sort());
    for (const { tag } of naming.flatMap(({ images }) => images))
      expect(tag).toMatch(/^\d+\.\d+(\.\d+)?(-\w+)?$/);
    // Two numbers are an exact version of Postgres alone.
    const short = naming.flatMap(({ images }) => images).filter(({ tag }) => !/^\d+\.\d+\.\d+/.test(tag));
    expect(new Set(short.map(({ repository }) => repository))).toEqual(new Set(['library/postgres']));
  });

  test('that are missing or moved are reported by the check, which changes nothing', async () => {
    const { registry, pin, texts } = stage();
    const before = texts();
    const unpinned = await pin('--check');
    expect([unpinned.succeeded, texts()]).toEqual([false, before]);
    expect(unpinned.output).toContain('oven/bun');
    await pin();
    registry.release += 1;
    const pinned = texts();
    const moved = await pin('--check');
    expect([moved.succeeded, texts()]).toEqual([false, pinned]);
    expect(moved.output).toContain(
      registry.digestOf(/redis:[\w.]+/.exec(pinned)?.[0].replace('redis', 'library/redis') ?? ''),
    );
  });

  test('are not written when the registry lies about its bytes or lacks one of the images', async () => {
    const { registry, pin, texts } = stage();
    const before = texts();
    registry.lies = true;
    expect((await pin()).succeeded).toBe(false);
    Object.assign(registry, { lies: false, missing: 'library/nats' });
    const failed = await pin();
    expect(failed.succeeded).toBe(false);
    expect(failed.output).toContain('library/nats');
    expect(texts()).toBe(before);
  });
});
