import type { AdminConfig } from '../../config/load.ts';
import { ImageStoreFailure } from '../../features/images/stores/image-store.ts';
import { openImageStore } from '../../features/images/stores/open-store.ts';
import { causeOf, type Finding, failed, ok, skipped } from './finding.ts';

/** Checks that the store of images can be written and read, if one is configured: with a file that it writes. */
export async function checkImages(config: AdminConfig): Promise<Finding> {
  const store = openImageStore(config);
  if (store === null)
    return skipped('images', 'needs IMAGE_FOLDER or IMAGE_BUCKET; without it, images cannot be uploaded');
  try {
    await store.probe();
    return ok(
      'images',
      config.imageFolder === undefined ? 'the bucket takes and gives objects' : 'the folder takes files',
    );
  } catch (error) {
    if (!(error instanceof ImageStoreFailure)) throw error;
    return failed('images', causeOf(error));
  }
}
