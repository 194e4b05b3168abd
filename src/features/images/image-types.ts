/** Media types that an upload may have, with the first bytes of their files. */
const signatures = {
  'image/png': (bytes: Uint8Array) => begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': (bytes: Uint8Array) => begins(bytes, [0xff, 0xd8, 0xff]),
  'image/gif': (bytes: Uint8Array) => begins(bytes, GIF_87A) || begins(bytes, GIF_89A),
  'image/webp': (bytes: Uint8Array) => begins(bytes, RIFF) && begins(bytes.subarray(8), WEBP),
} as const;

const GIF_87A = ascii('GIF87a');
const GIF_89A = ascii('GIF89a');
const RIFF = ascii('RIFF');
const WEBP = ascii('WEBP');

export type UploadedType = keyof typeof signatures;

export const uploadedTypes = Object.keys(signatures) as readonly UploadedType[];

export function isUploadedType(type: string): type is UploadedType {
  return uploadedTypes.some((uploaded) => uploaded === type);
}

/** Media types of stored images. A GIF becomes a PNG. */
export const storedTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type StoredType = (typeof storedTypes)[number];

export function isStoredType(type: string | null): type is StoredType {
  return storedTypes.some((stored) => stored === type);
}

export function storedTypeOf(uploaded: UploadedType): StoredType {
  return uploaded === 'image/gif' ? 'image/png' : uploaded;
}

/** The type that the first bytes of a file say; null for any other file. */
export function typeOf(bytes: Uint8Array): UploadedType | null {
  return uploadedTypes.find((type) => signatures[type](bytes)) ?? null;
}

function begins(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function ascii(text: string): readonly number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
