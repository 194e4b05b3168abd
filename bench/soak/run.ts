// npm run soak: no event may be lost while relay,
// worker, broker and database are killed at random. Prints its figures at the end; exit code 1 on any loss.
import { readArguments, refuseArguments } from '../read-arguments.ts';
import { runStoppable } from '../run-stoppable.ts';
import { runSoak, type SoakReport } from './soak.ts';

const USAGE = `npm run soak -- [options]
  --seed 1       another seed kills at other times
  --events 20000 events to deliver
  --endpoints 50 endpoints that each event goes to
  --minutes 10   minutes of kills`;

const { values, positionals } = readArguments(USAGE, {
  seed: { type: 'string', default: '1' },
  events: { type: 'string', default: '20000' },
  endpoints: { type: 'string', default: '50' },
  minutes: { type: 'string', default: '10' },
});
if (positionals.length > 0) refuseArguments(`unexpected: ${positionals.join(' ')}`, USAGE);
const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
const { seed = 0, events = 0, endpoints = 0, minutes = 0 } = numbers;
const isSound =
  [seed, events, endpoints].every(Number.isSafeInteger) && seed >= 0 && events > 0 && endpoints > 0;
if (!isSound || !(minutes > 0))
  refuseArguments(
    '--seed, --events and --endpoints must be whole numbers, --minutes a positive number',
    USAGE,
  );

await runStoppable(async (signal) => {
  console.log(`soak: seed ${seed}, ${events} events to ${endpoints} endpoints, ${minutes} minutes of kills`);
  const startedAt = performance.now();
  const log = (line: string) =>
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${line}`);
  const report = await runSoak({ seed, events, endpoints, minutes, signal, log });
  // A soak that was stopped has no result.
  signal.throwIfAborted();
  console.log(JSON.stringify(report, null, 2));
  const problems = problemsOf(report);
  for (const problem of problems) console.error(`soak: ${problem}`);
  console.log(
    problems.length === 0 ? 'soak: nothing lost, nothing stuck' : `soak: ${problems.length} problems`,
  );
  return problems.length === 0 ? 0 : 1;
});

function problemsOf({ pairs, delivered, subscribers, findings }: SoakReport): string[] {
  const lost = { lostPairs: pairs - delivered, ...findings };
  const wrong = { badSignatures: subscribers.badSignatures, unknownEvents: subscribers.unknownEvents };
  return Object.entries({ ...lost, ...wrong }).flatMap(([name, count]) =>
    count === 0 ? [] : [`${name}: ${count}`],
  );
}
