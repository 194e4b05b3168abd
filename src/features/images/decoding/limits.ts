import { unpublishedLimits } from '../../../shared/contract-limits.ts';

/** Width times height of an uploaded image: more than a camera of 36 megapixels makes. */
export const PIXELS_MAX = unpublishedLimits.imagePixels;

/** Width and height of a stored image: a larger upload is reduced to fit. */
export const STORED_SIDE_MAX = unpublishedLimits.imageSide;

/** A PNG of noise with these sides has 4.2 MB. */
export const STORED_BYTES_MAX = unpublishedLimits.imageBytes;
