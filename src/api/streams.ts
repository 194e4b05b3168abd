import type { ConfigOf } from '../config/load.ts';
import { findUsableKeys } from '../features/identity/find-usable-keys.ts';
import { Streams, type StreamsDependencies } from '../features/streams/streams.ts';

/** The streams within the limits of the configuration. */
export function createStreams(
  config: ConfigOf<'api'>,
  dependencies: Omit<StreamsDependencies, 'usableKeys'>,
): Streams {
  const { database, clock } = dependencies;
  const limits = {
    perKey: config.streamsPerKey,
    perAddress: config.streamsPerAddress,
    perNetwork: config.streamsPerNetwork,
    max: config.streamsMax,
    keyReservePercent: config.streamsKeyReservePercent,
    bufferBytes: config.streamBufferBytes,
  };
  return new Streams(limits, {
    ...dependencies,
    usableKeys: (keyIds) => findUsableKeys(database, keyIds, clock.now()),
  });
}
