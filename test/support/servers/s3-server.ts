import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { atEnd } from '../run/cleanup.ts';

/** The only key that s3rver knows. */
export const S3_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Starts an S3 server that keeps its objects in the folder. Returns its address. */
export async function startS3Server(directory: string, buckets: readonly string[] = []): Promise<string> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: buckets.map((name) => ({ name })),
  });
  const { store } = server;
  // S3 shows an object when it is whole. s3rver 3.7.1 acknowledges one before its file has the bytes, and empties it for the next.
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    const md5 = createHash('md5').update(bytes).digest('hex');
    const path = store.getResourcePath(bucket, key, 'object');
    const incomplete = store.getResourcePath(bucket, key, Bun.randomUUIDv7());
    await mkdir(dirname(path), { recursive: true });
    await writeFile(incomplete, bytes);
    await rename(incomplete, path);
    await store.putMetadata(bucket, key, metadata, md5);
    return { size: bytes.byteLength, md5 };
  };
  const { port } = await server.run();
  atEnd(() => server.close());
  return `http://127.0.0.1:${port}`;
}
