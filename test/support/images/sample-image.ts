import sharp, { type Sharp } from 'sharp';

type Format = 'png' | 'jpeg' | 'gif' | 'webp';

/** Pixels of one colour, so that every size costs little. */
export function drawing(width = 8, height = 8, background = '#b87333'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

export async function sampleImage(
  format: Format,
  width = 8,
  height = 8,
  background?: string,
): Promise<Buffer> {
  return drawing(width, height, background).toFormat(format).toBuffer();
}
