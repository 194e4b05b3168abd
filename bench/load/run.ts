// npm run bench:load -- --url …: open-loop load of one GET against any deployment, with the generator of the suite.

import { percentiles } from '../measurement/percentiles.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { readArguments, refuseArguments } from '../read-arguments.ts';
import { runStoppable } from '../run-stoppable.ts';
import { openLoop } from './open-loop.ts';
import { ownAddress } from './own-address.ts';
import { poissonArrivals } from './poisson-arrivals.ts';
import { wireRequest } from './wire-request.ts';

const USAGE = `npm run bench:load -- --url http://127.0.0.1:3000/api/v2/tokens [options]
  --rate 100         requests a second, at the moments of a Poisson process
  --seconds 10       length of the run
  --connections 64   connections; a request that finds none free waits, and its latency counts the wait
  --header 'a: b'    a request header; may be repeated
  --status 200       status that every response must have
  --seed 1           another seed draws other moments
  --public           allows an address that is public: for servers of your own`;

const { values, positionals } = readArguments(USAGE, {
  url: { type: 'string' },
  rate: { type: 'string', default: '100' },
  seconds: { type: 'string', default: '10' },
  connections: { type: 'string', default: '64' },
  header: { type: 'string', multiple: true, default: [] },
  status: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  public: { type: 'boolean', default: false },
});
if (positionals.length > 0) refuseArguments(`${positionals[0]} is not an option`, USAGE);
const url = URL.canParse(values.url ?? '') ? new URL(values.url ?? '') : null;
if (url === null || !/^https?:$/.test(url.protocol))
  refuseArguments('--url needs an http or https address', USAGE);
const positive = (name: 'rate' | 'seconds' | 'connections' | 'status' | 'seed') => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  return refuseArguments(`--${name} needs a whole number above 0, not ${values[name]}`, USAGE);
};
const [rate, seconds, connections] = [positive('rate'), positive('seconds'), positive('connections')];
const [expectedStatus, seed] = [positive('status'), positive('seed')];
const headers = Object.fromEntries(
  values.header.map((line) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): *([^\r\n]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return refuseArguments(`not a header: ${line}`, USAGE);
    return [name.toLowerCase(), value];
  }),
);
const found = await ownAddress(url.hostname, values.public);
if ('refused' in found) refuseArguments(found.refused, USAGE);

await runStoppable(async (signal) => {
  const isTls = url.protocol === 'https:';
  const bytes = wireRequest('GET', `${url.pathname}${url.search}`, {
    host: url.host,
    accept: 'application/json',
    'user-agent': 'launchwire-bench',
    ...headers,
  });
  const stopped = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  );
  const load = openLoop({
    port: {
      address: found.address,
      port: Number(url.port || (isTls ? 443 : 80)),
      ...(isTls && { tls: { serverName: url.hostname } }),
    },
    connections,
    arrivalsMs: poissonArrivals(rate, seconds * 1_000, seededRandom(seed)),
    nextRequest: () => bytes,
    expectedStatus,
    reopens: true,
  });
  const { latenciesMs, generatorLagsMs, errors, firstError, statuses } = await Promise.race([load, stopped]);
  const shares = { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99, p999Ms: 0.999 };
  const maxMs = latenciesMs.reduce((most, latency) => Math.max(most, latency), 0);
  const figures = {
    ...percentiles(latenciesMs, shares),
    maxMs,
    ...percentiles(generatorLagsMs, { generatorLagP99Ms: 0.99 }),
  };
  console.log(`${url.origin} at ${found.address}: ${latenciesMs.length} responses at ${rate}/s`);
  for (const [status, count] of Object.entries(statuses)) console.log(`  status ${status}: ${count}`);
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name}: ${value.toFixed(3)}`);
  if (errors === 0) return 0;
  console.error(`${errors} errors, the first: ${firstError}`);
  return 1;
});
