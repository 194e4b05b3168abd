import type { AdminContext } from '../../src/admin/context.ts';
import { loadConfig } from '../../src/config.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';

/** What the admin commands work with, inside the launcher. */
export function openSandboxAdmin(environment: Readonly<Record<string, string>>): AdminContext {
  const config = loadConfig(environment);
  const database = connectDatabase(config.databaseUrl, {
    applicationName: 'launchwire-sandbox',
    connections: 2,
  });
  return {
    config,
    database,
    clock: systemClock,
    outbox: createOutbox({ source: `${config.publicUrl}/api/v2`, docsUrl: config.docsUrl }, systemClock),
    close: () => database.end({ timeout: 1 }),
  };
}
