import { FolderStore } from './folder-store.ts';
import type { SweptStore } from './image-store.ts';
import { S3Store } from './s3-store.ts';

/** The configuration of the store. */
export interface ImageStoreSettings {
  imageFolder?: string | undefined;
  imageBucket?: string | undefined;
  imageEndpoint?: string | undefined;
  imageRegion: string;
  imageKeyId?: string | undefined;
  imageSecretKey?: string | undefined;
}

/** The store that is configured; null if there is none. */
export function openImageStore(settings: ImageStoreSettings): SweptStore | null {
  const { imageFolder, imageBucket, imageEndpoint, imageRegion, imageKeyId, imageSecretKey } = settings;
  if (imageFolder !== undefined) return new FolderStore(imageFolder);
  if (imageBucket === undefined) return null;
  const credentials =
    imageKeyId === undefined || imageSecretKey === undefined
      ? undefined
      : { accessKeyId: imageKeyId, secretAccessKey: imageSecretKey };
  return new S3Store({ bucket: imageBucket, endpoint: imageEndpoint, region: imageRegion, credentials });
}
