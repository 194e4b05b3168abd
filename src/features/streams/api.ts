import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { Draining } from '../../http/operational/draining.ts';
import type { HintChannel } from '../../shared/bus/hint-channel.ts';
import { hints } from '../../shared/bus/topology.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { findEvents } from './log/find-events.ts';
import { observeStreams } from './metrics.ts';
import type { RecordSources } from './record-sources.ts';
import { streamDefinitions, streamRoutes } from './routes.ts';
import { Streams, type StreamsDependencies } from './streams.ts';

export interface StreamGround extends Omit<StreamsDependencies, 'sources'> {
  config: {
    streamsPerKey: number;
    streamsPerAddress: number;
    streamsPerNetwork: number;
    streamsMax: number;
    streamsKeyReservePercent: number;
    streamBufferBytes: number;
  };
  recordSources: RecordSources;
  hintChannel: HintChannel;
  draining: Draining;
  processMetrics: ProcessMetrics;
}

/** Hints of changes that the log has. */
const wakeUps = [hints.outbox, hints.tokenChanged, hints.presaleChanged, hints.roundChanged] as const;

export const streamApi = {
  added: [{ definitions: streamDefinitions, routes: streamRoutes }],
  open(ground: StreamGround) {
    const {
      config,
      database,
      recordSources: sources,
      log,
      clock,
      usableKeys,
      hintChannel,
      draining,
    } = ground;
    const limits = {
      perKey: config.streamsPerKey,
      perAddress: config.streamsPerAddress,
      perNetwork: config.streamsPerNetwork,
      max: config.streamsMax,
      keyReservePercent: config.streamsKeyReservePercent,
      bufferBytes: config.streamBufferBytes,
    };
    const streams = new Streams(limits, { database, sources, log, clock, usableKeys });
    for (const hint of wakeUps) hintChannel.subscribe(hint, () => streams.follower.wake());
    observeStreams(ground.processMetrics, streams);
    draining.onBegin(() => streams.drain());
    return { streams };
  },
  records: ({ database }: { database: Database }) => ({
    events: (ids: readonly string[]) => findEvents(database, ids),
  }),
} satisfies ApiDoor;
