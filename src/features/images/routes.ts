import { file, type Route, type RouteDefinition, upload } from '../../http/route.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { IMAGES_PATH } from '../../shared/image-address.ts';
import { isUploadedType, uploadedTypes } from './image-types.ts';
import { toImage } from './record.ts';
import { ImagePath, ImageSchema } from './schema.ts';
import type { ImageReader } from './serve-image.ts';
import { takeImage, type UploadDependencies } from './take-image.ts';

const createImageDefinition = {
  id: 'createImage',
  method: 'POST',
  path: '/images',
  refusesUnknownQuery: true,
  tag: 'Launches',
  summary: 'Upload the picture of a token',
  description:
    'The body is the file itself: PNG, JPEG, GIF or WebP, at most 5 MiB and 40,000,000 pixels. The service decodes it, reduces it to fit 1,024 by 1,024 pixels, and encodes it again without metadata. Of an animation only the first frame is kept, and a GIF becomes a PNG. The same file always gives the same response, so no `Idempotency-Key` is needed. Pass the returned `imageUrl` to `createLaunch`. An account can upload 200 images and 100 MiB of stored bytes in 24 hours.',
  auth: ['transactions:write'],
  ratePolicy: 'image-upload',
  successStatus: 201,
  upload: {
    mediaTypes: uploadedTypes,
    bytesMax: unpublishedLimits.imageBytes,
    exampleFile: 'token.png',
    incomplete: 'image_invalid',
  },
  response: ImageSchema,
  responseHeaders: ['Location'],
  problems: ['images_unavailable', 'image_invalid', 'image_limit_reached'],
} satisfies RouteDefinition;

export const imageDefinitions: readonly RouteDefinition[] = [createImageDefinition];

export interface ImageRouteDependencies extends UploadDependencies {
  publicUrl: string;
  imageReader: ImageReader;
}

export function imageRoutes(dependencies: ImageRouteDependencies): Route[] {
  return [
    upload(createImageDefinition, async ({ bytes, mediaType }, { accountId }) => {
      if (!isUploadedType(mediaType)) throw new Error(`${mediaType} passed the pipeline`);
      const row = await takeImage({ accountId, bytes, mediaType }, dependencies);
      const body = toImage(row, dependencies.publicUrl);
      return { body, headers: { Location: `${IMAGES_PATH}/${row.hash}` } };
    }),
  ];
}

const YEAR_SECONDS = 31_536_000;

/** Where anybody reads an image (contract/images#address). Not an operation of the contract. */
const imageFile = {
  id: 'imageFile',
  method: 'GET',
  path: `${IMAGES_PATH}/:hash`,
  tag: 'Launches',
  summary: 'An uploaded image',
  description: 'The bytes of the image. The bytes under a hash never change.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: YEAR_SECONDS,
  params: ImagePath,
  response: ImageSchema,
  problems: ['not_found'],
} satisfies RouteDefinition;

export function imageFileRoute({ imageReader }: ImageRouteDependencies): Route {
  return file(imageFile, async ({ params: { hash }, client }) => {
    const image = await imageReader.serve(hash, client);
    return { ...image, etag: `"${hash}"` };
  });
}
