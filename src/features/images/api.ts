import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { ReadGates } from '../../http/caches/read-gates.ts';
import type { Logger } from '../../shared/log.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { SingleFlight } from '../../shared/single-flight.ts';
import { isImageKnown } from './find-image.ts';
import { createImageMetrics } from './metrics.ts';
import { imageDefinitions, imageRoutes } from './routes.ts';
import { ImageReader } from './serve-image.ts';
import { type ImageStoreSettings, openImageStore } from './stores/open-store.ts';
import type { UploadDependencies } from './take-image.ts';

export interface ImageGround {
  config: ImageStoreSettings;
  database: Database;
  publicDatabase: Database;
  log: Logger;
  gates: ReadGates;
  processMetrics: ProcessMetrics;
}

export const imageApi = {
  added: [{ definitions: imageDefinitions, routes: imageRoutes }],
  open({ config, database, publicDatabase, log, gates, processMetrics }: ImageGround) {
    const imageStore: UploadDependencies['imageStore'] = openImageStore(config);
    const imageMetrics = createImageMetrics(processMetrics);
    const uploads: UploadDependencies['uploads'] = new SingleFlight();
    return {
      imageStore,
      imageMetrics,
      imageReader: new ImageReader(imageStore, {
        database: publicDatabase,
        gate: gates.images,
        log,
        imageMetrics,
      }),
      decoderGate: gates.decoders,
      uploads,
      isImageKnown: (hash: string) => isImageKnown(database, hash),
    };
  },
} satisfies ApiDoor;
