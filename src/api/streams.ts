import type { ConfigOf } from '../config/load.ts';
import { findUsableKeys } from '../features/identity/find-usable-keys.ts';
import type { KeyUses } from '../features/identity/record-key-uses.ts';
import { Streams, type StreamsDependencies } from '../features/streams/streams.ts';

/** The streams within the limits of the configuration. */
export function createStreams(
  config: ConfigOf<'api'>,
  { keyUses, ...dependencies }: Omit<StreamsDependencies, 'usableKeys'> & { keyUses: KeyUses },
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
    async usableKeys(keyIds) {
      const usable = await findUsableKeys(database, keyIds, clock.now());
      // An open stream uses its key all the time.
      for (const keyId of usable) keyUses.note(keyId);
      return usable;
    },
  });
}
