import type { SandboxState } from '../../../sandbox/shared/state-file.ts';
import { connectDatabase } from '../../../src/db/client.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { systemClock } from '../../../src/shared/clock.ts';

/**
 * Stores a public event in the outbox of a running sandbox and returns its id. The data may have any shape,
 * which the admin CLI would refuse.
 */
export async function publishEvent(state: SandboxState, subject: string, data: object): Promise<string> {
  const database = connectDatabase(state.environment.DATABASE_URL ?? '', {
    applicationName: 'test',
    connections: 1,
  });
  const outbox = createOutbox({ source: state.baseUrl, docsUrl: `${state.baseUrl}/docs` }, systemClock);
  try {
    return await database.begin((transaction) =>
      outbox.append(transaction, { name: 'launch.created', subject, accountId: null, data }),
    );
  } finally {
    await database.end({ timeout: 1 });
  }
}
