import { join } from 'node:path';
import { type NatsServer, startNats } from '../../../sandbox/services/nats.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTempDir } from '../run/temp-dir.ts';

export interface TestNats {
  readonly url: string;
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts again after `stop` or `kill` with the same address and streams. */
  restart(): Promise<void>;
}

/** Starts a nats-server for one test file (50 ms), so that it shares no streams and consumers. */
export async function createTestNats(): Promise<TestNats> {
  const storeDir = join(createTempDir('nats'), 'store');
  let server: NatsServer = await startNats({ storeDir, durable: false });
  const { url, port } = server;
  atEnd(() => server.stop());
  return {
    url,
    stop: () => server.stop(),
    kill: () => server.kill(),
    async restart() {
      await server.stop();
      server = await startNats({ storeDir, port, durable: false });
    },
  };
}
