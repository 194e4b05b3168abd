import { type Static, Type } from '@sinclair/typebox';
import { CreatedAtField, described, Named, OneOf } from '../../shared/field-schemas.ts';
import { HASH_PATTERN } from './image-hash.ts';
import { storedTypes } from './image-types.ts';

const EXAMPLE_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const HashField = Type.String({ pattern: HASH_PATTERN, examples: [EXAMPLE_HASH] });
const PixelsField = Type.Integer({ minimum: 1 });

/** contract/images#image */
export const ImageSchema = Named('Image', {
  hash: described('SHA-256 of the stored bytes, in hex digits.', HashField),
  imageUrl: described(
    'Value for `imageUrl` of `createLaunch`: `image:` and the hash.',
    Type.String({ examples: [`image:${EXAMPLE_HASH}`] }),
  ),
  url: described('Public address of the image. Its bytes never change.', Type.String()),
  contentType: described('Media type of the stored bytes.', OneOf(storedTypes)),
  width: described('Width in pixels.', PixelsField),
  height: described('Height in pixels.', PixelsField),
  byteLength: described('Size of the stored bytes.', PixelsField),
  createdAt: CreatedAtField,
});
export type Image = Static<typeof ImageSchema>;

export const ImagePath = Type.Object({ hash: described('Hash of the image.', HashField) });
