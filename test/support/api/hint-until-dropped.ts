import { spyOn } from 'bun:test';
import { connectBus } from '../../../src/shared/bus/connect.ts';
import type { Hint } from '../../../src/shared/bus/topology.ts';
import { eventually } from '../run/eventually.ts';
import type { TestApi } from './api.ts';

/**
 * Publishes the hint until the api drops what this cache of it has under the key. That the change is then visible shows that the
 * hint did it: a limit of time would not, because an entry that ages ends by itself, and a busy machine is late.
 */
export async function hintUntilDropped(
  { config }: TestApi,
  hint: Hint,
  key: string,
  cache: { drop(key: string): void },
): Promise<void> {
  const drop = spyOn(cache, 'drop');
  const bus = await connectBus(config, 'test');
  try {
    // The api may still be connecting to the bus.
    await eventually('the hint', async () => {
      bus.publish(hint, key);
      await bus.flush();
      return drop.mock.calls.some(([dropped]) => dropped === key);
    });
  } finally {
    drop.mockRestore();
    await bus.close();
  }
}
