import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../../sandbox/services/free-port.ts';

/** A range below the ports of other programs, and so small that uncoordinated processes would collide. */
const PORTS = { first: 19_000, last: 19_399 };
const EACH = 10;

const MODULE = join(import.meta.dir, '..', '..', 'sandbox', 'services', 'free-port.ts');
const SOURCE = `
  import { freePort } from ${JSON.stringify(MODULE)};
  for (let taken = 0; taken < ${EACH}; taken += 1) console.log(await freePort(${JSON.stringify(PORTS)}));
  await Bun.stdin.text();`;

/** A process that takes ports, and lives until it is ended. */
function startTaker() {
  const child = Bun.spawn([process.execPath, '-e', SOURCE], { stdin: 'pipe', stdout: 'pipe' });
  const lines = async () => {
    let text = '';
    for await (const chunk of child.stdout) {
      text += Buffer.from(chunk).toString();
      if (text.split('\n').length > EACH) break;
    }
    return text.trim().split('\n').map(Number);
  };
  return { lines, child };
}

test('a free port is given to one process alone, before anything listens on it, until that process has ended', async () => {
  const takers = [startTaker(), startTaker()];
  const taken = (await Promise.all(takers.map(({ lines }) => lines()))).flat();
  for (let own = 0; own < EACH; own += 1) taken.push(await freePort(PORTS));
  expect(new Set(taken).size).toBe(3 * EACH);
  for (const { child } of takers) child.stdin.end();
  expect(await Promise.all(takers.map(({ child }) => child.exited))).toEqual([0, 0]);
  for (let own = 0; own < EACH + 5; own += 1) taken.push(await freePort(PORTS));
  const ours = taken.slice(2 * EACH);
  expect(new Set(ours).size).toBe(ours.length);
});
