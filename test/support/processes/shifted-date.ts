import { readFileSync } from 'node:fs';

/*
 * Tests and faults preload this into a process of the service. It moves `Date` and Bun's other readings of
 * the clock ahead by the value in the file, which it reads at the start and at SIGUSR2. Steady clocks and
 * timers do not change.
 */
const file = process.env.TEST_MACHINE_CLOCK ?? '';
const { now: trueNow } = Date;
const { randomUUIDv7 } = Bun;
let aheadMs = 0;
const read = () => {
  aheadMs = Number(readFileSync(file, 'utf8'));
};
read();
process.on('SIGUSR2', read);

const machineNow = () => trueNow() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, values) => Reflect.construct(target, values.length === 0 ? [machineNow()] : values),
  get: (target, name) => (name === 'now' ? machineNow : Reflect.get(target, name)),
});
Bun.randomUUIDv7 = ((encoding: 'hex' = 'hex', timestamp: number | Date = machineNow()) =>
  randomUUIDv7(encoding, timestamp)) as typeof randomUUIDv7;
