import type { AdminConfig } from '../../config/load.ts';
import { areDecodersConfined } from '../../features/images/decoding/run-decoder.ts';
import { ImageStoreFailure } from '../../features/images/stores/image-store.ts';
import { openImageStore } from '../../features/images/stores/open-store.ts';
import { causeOf, type Finding, failed, ok, skipped } from './finding.ts';

/** Checks that the store of images can be written and read, if one is configured: with a file that it writes. */
export async function checkImages(config: AdminConfig): Promise<Finding> {
  const store = openImageStore(config);
  if (store === null)
    return skipped(
      'images',
      'needs IMAGE_FOLDER or IMAGE_BUCKET; if both are unset, images cannot be uploaded',
    );
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

/** Says what a picture that breaks its decoder could reach on this system, if images are uploaded. */
export async function checkDecoders(config: AdminConfig): Promise<Finding> {
  if (openImageStore(config) === null) return skipped('decoders', 'needs IMAGE_FOLDER or IMAGE_BUCKET');
  if (process.platform !== 'linux')
    return skipped('decoders', 'needs Linux; elsewhere decoders have the rights of the api');
  try {
    return (await areDecodersConfined())
      ? ok('decoders', 'open no file or connection, start no program, and see no other process')
      : failed(
          'decoders',
          'cannot be confined: allow seccomp filters (the default of Docker and Kubernetes), or a broken decoder has the files and the network of the api',
        );
  } catch (error) {
    return failed('decoders', causeOf(error));
  }
}
