import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';

const { imagesPerDay, imageBytesPerDay } = unpublishedLimits;

/**
 * Throws `image_limit_reached` when an account that has uploaded this much in a day may not store this upload too.
 */
export function requireRoom({ images, bytes }: { images: number; bytes: number }, byteLength: number): void {
  if (images < imagesPerDay && bytes + byteLength <= imageBytesPerDay) return;
  const context = { imagesPerDay, bytesPerDay: imageBytesPerDay, images, bytes };
  throw new Problem('image_limit_reached', { context });
}
