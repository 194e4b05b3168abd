import { watchLiveness } from '../../../src/shared/liveness.ts';
import { createLogger } from '../../../src/shared/log.ts';
import { runLoop } from '../../../src/shared/loop.ts';

/**
 * A watched process that follows commands on stdin, one word a line: `block` its event loop, let a loop
 * `hang`, or `answer` on stdout. Otherwise its loop waits for work.
 */
const log = createLogger('hanging', 'info');
watchLiveness({ livenessTimeoutSeconds: 1, loopTimeoutSeconds: 1 }, log);

let mayHang = false;
void runLoop({
  name: 'obedient',
  log,
  signal: new AbortController().signal,
  idleMs: 50,
  step: () => (mayHang ? new Promise<boolean>(() => {}) : Promise.resolve(false)),
});

for await (const word of console) {
  if (word === 'block') for (;;);
  if (word === 'hang') mayHang = true;
  if (word === 'answer') process.stdout.write('here\n');
}
