import type { Upload } from './operations.ts';

/** The first bytes of each type that the service takes; those of a WebP come after its length. */
const starts: readonly (readonly [Upload['contentType'], at: number, start: string])[] = [
  ['image/png', 0, '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', 0, '\u00ff\u00d8\u00ff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
];
const LOOKED_AT = 16;

/** The file as `createImage` takes it: its bytes say the type. The service refuses what is of none of them. */
export async function uploadOf(file: Upload['file']): Promise<Upload> {
  const head =
    file instanceof Uint8Array
      ? file.subarray(0, LOOKED_AT)
      : new Uint8Array(await file.slice(0, LOOKED_AT).arrayBuffer());
  const text = String.fromCharCode(...head);
  const known = starts.find(([, at, start]) => text.startsWith(start, at));
  return { file, contentType: known?.[0] ?? 'image/png' };
}
