import { readFileSync } from 'node:fs';

/*
 * Preloaded into a process of the service by machine-clock.ts: `Date`, and what Bun makes of the machine's clock, are as far
 * ahead as the file says. It is read at the start and again at SIGUSR2. Steady clocks and timers stay what they are.
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
