// The peer, run by Node: BullMQ on Redis, signed requests with Node's own `fetch`, which keeps its connections.
// Arguments: Redis address, receiver, number of deliveries. Prints its figures as one line of JSON.
import { createHmac } from 'node:crypto';
import { Queue, Worker } from 'bullmq';

const [redisUrl = '', origin = '', countText = '0'] = process.argv.slice(2);
const count = Number(countText);
const url = new URL(redisUrl);
const connection = { host: url.hostname, port: Number(url.port), maxRetriesPerRequest: null };
const IN_FLIGHT = 64;
const ADDED_AT_ONCE = 500;
const body = 'a'.repeat(500);
const key = Buffer.alloc(32, 1);

async function deliver(job) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key)
    .update(`${job.id}.${timestamp}.${job.data.body}`)
    .digest('base64');
  const response = await fetch(`${origin}/${job.data.number % 100}`, {
    method: 'POST',
    body: job.data.body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': job.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
}

const name = `bench-${process.pid}`;
const queue = new Queue(name, { connection });
const worker = new Worker(name, deliver, { connection, concurrency: IN_FLIGHT, autorun: false });
let completed = 0;
const done = deferred();
worker.on('completed', () => {
  completed += 1;
  if (completed === count) done.resolve();
});
worker.on('failed', (_job, error) => done.reject(error));
await queue.waitUntilReady();
for (let number = 0; number < count; number += ADDED_AT_ONCE) {
  const size = Math.min(ADDED_AT_ONCE, count - number);
  await queue.addBulk(
    Array.from({ length: size }, (_, at) => ({
      name: 'deliver',
      data: { number: number + at, body },
      opts: { attempts: 10, removeOnComplete: true },
    })),
  );
}
const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
const running = worker.run();
await done.promise;
const durationMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpuBefore);
const cpuMicroseconds = (user + system) / count;
console.log(
  JSON.stringify({
    deliveriesPerSecond: (count * 1000) / durationMs,
    deliveriesPerSecondPerCore: 1e6 / cpuMicroseconds,
    cpuMicroseconds,
  }),
);
await worker.close();
await running;
await queue.obliterate({ force: true });
await queue.close();
process.exit(0);

function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}
