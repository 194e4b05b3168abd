import { LASTING_RETRY_AFTER_SECONDS, problemArea } from './problem-area.ts';

export const imagesProblems = problemArea('images', 'Images', {
  images_unavailable: {
    status: 503,
    retryAfterSeconds: LASTING_RETRY_AFTER_SECONDS,
    title: 'Images unavailable',
    detail: 'This deployment stores no images.',
    when: ['The operator has configured neither a folder nor a bucket for them.'],
    action: 'Ask the operator, or give `createLaunch` the address of a picture elsewhere.',
  },
  image_invalid: {
    status: 422,
    title: 'Invalid image',
    detail: 'The file is not an image that can be stored.',
    when: [
      'It is not a PNG, JPEG, GIF or WebP (`reason` `not_an_image`), or its format differs from `Content-Type` (`type_mismatch`).',
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
    status: 409,
    title: 'Image limit reached',
    detail: 'The account has uploaded the maximum number of images, or of their bytes, for 24 hours.',
    when: ['It has uploaded 200 images, or 100 MiB of stored bytes.'],
    action: 'Wait until earlier uploads are 24 hours old. A file that was uploaded before needs no room.',
    context: {
      imagesPerDay: { meaning: 'maximum number of images in 24 hours', example: 200 },
      bytesPerDay: { meaning: 'maximum number of stored bytes in 24 hours', example: 104_857_600 },
      images: { meaning: 'images that the account has uploaded in the last 24 hours', example: 200 },
      bytes: { meaning: 'stored bytes of these images', example: 31_457_280 },
    },
  },
});
