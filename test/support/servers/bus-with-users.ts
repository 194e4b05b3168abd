import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type NatsServer, startNats } from '../../../sandbox/services/nats.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTempDir } from '../run/temp-dir.ts';

const USERS_FILE = new URL('../../../ops/nats/users.conf', import.meta.url).pathname;

export const busUsers = ['api', 'worker', 'relay', 'feed', 'admin'] as const;
export type BusUser = (typeof busUsers)[number];

/** The password looks like a number with a unit and contains characters that a URL must encode. */
export const passwordOf = (user: BusUser) => `12k/@:%${user}`;

export interface BusWithUsers {
  server: NatsServer;
  /** `NATS_URL` of a user. */
  urlOf(user: BusUser): string;
  /** Log lines of the server about refused subjects. */
  violations(): string[];
}

/** Starts a nats-server with the users of `ops/nats`. */
export async function startBusWithUsers(): Promise<BusWithUsers> {
  const storeDir = join(createTempDir('nats'), 'store');
  const server = await startNats({
    storeDir,
    durable: false,
    settings: [`include ${JSON.stringify(relative(storeDir, USERS_FILE))}`],
    environment: Object.fromEntries(
      busUsers.map((user) => [`NATS_${user.toUpperCase()}_PASSWORD`, JSON.stringify(passwordOf(user))]),
    ),
  });
  atEnd(() => server.stop());
  return {
    server,
    urlOf: (user) => `nats://${user}:${encodeURIComponent(passwordOf(user))}@127.0.0.1:${server.port}`,
    violations: () =>
      readFileSync(join(storeDir, 'nats.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('Violation') && !line.includes('Authorization Violation')),
  };
}
