import type { AreaExplanations } from './explanation.ts';

/** Uploads of images. A refused file is not stored. */
export const imageExplanations = {
  images_unavailable: {
    meaning: 'This deployment stores no images.',
    when: ['The operator has configured neither a folder nor a bucket for them.'],
    action: 'Ask the operator, or give `createLaunch` the address of a picture elsewhere.',
  },
  image_invalid: {
    meaning: 'The file is no image that can be stored.',
    when: [
      'It is no PNG, JPEG, GIF or WebP (`reason` `not_an_image`), or of another one of them than `Content-Type` says (`type_mismatch`).',
      'It is damaged (`corrupt`), or has more than 40,000,000 pixels (`too_many_pixels`).',
      'Decoding it takes more than 6 seconds of a processor (`too_costly`).',
      'It arrives only in part, or too slowly (`incomplete`).',
    ],
    action:
      'Save the picture again with an image editor, smaller where `reason` says so, and upload that file.',
    context: {
      reason: {
        meaning:
          '`not_an_image`, `type_mismatch`, `corrupt`, `too_many_pixels`, `too_costly` or `incomplete`',
        example: 'type_mismatch',
      },
    },
  },
  image_limit_reached: {
    meaning: 'The account has uploaded as much as it may in 24 hours.',
    when: ['It has uploaded 200 images, or 100 MiB of stored bytes.'],
    action: 'Wait until earlier uploads are 24 hours old. A file that was uploaded before needs no room.',
    context: {
      imagesPerDay: { meaning: 'maximum number of images in 24 hours', example: 200 },
      bytesPerDay: { meaning: 'maximum number of stored bytes in 24 hours', example: 104_857_600 },
      images: { meaning: 'images that the account has uploaded in the last 24 hours', example: 200 },
      bytes: { meaning: 'stored bytes of them', example: 31_457_280 },
    },
  },
} as const satisfies AreaExplanations;
