/** Path after the origin. It may never change: metadata documents on chain hold it. */
export const IMAGES_PATH = '/images';

export function imageAddress(publicUrl: string, hash: string): string {
  return `${publicUrl}${IMAGES_PATH}/${hash}`;
}

const REFERENCE = /^image:([0-9a-f]{64})$/;

/** An uploaded image as a field of another record names it (contract/images#reference). */
export function imageReference(hash: string): string {
  return `image:${hash}`;
}

/** The hash that such a text names; null for any other text. */
export function referencedImage(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null;
}
