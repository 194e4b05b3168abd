import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../support/webhooks/webhook-certificates.ts';
import { type Difference, knownDifferences } from './known-differences.ts';
import { type SuiteServers, startSuiteServers } from './suite-servers.ts';

/**
 * Runs the test suite of the driver's authors against their sources and against ours, on Node and on Bun, and reports
 * what differs:
 *
 *     npm run driver:suite -- --suite <checkout of the driver at the version that package.json pins>
 *
 * The suite is no part of this repository. It needs `psql`, `createdb` and `dropdb` on the PATH.
 */
const root = join(import.meta.dir, '..', '..');
const patched = join(root, 'node_modules', 'postgres', 'src');

type Outcomes = Record<string, string>;

async function main(): Promise<number> {
  const suite = suiteOf(process.argv.slice(2));
  const folder = mkdtempSync(join(tmpdir(), 'driver-suite-'));
  chmodSync(folder, 0o711);
  const servers = await startSuiteServers(folder, join(suite, 'tests', 'pg_hba.conf'), selfSignedCertificate);
  try {
    const differences: Difference[] = [];
    for (const runtime of ['node', 'bun'] as const) {
      const original = await runSuite({ suite, sources: join(suite, 'src'), runtime, folder, servers });
      const run = () => runSuite({ suite, sources: patched, runtime, folder, servers });
      const first = await run();
      // Some tests of the suite depend on times: what fails is a fault if it fails twice.
      const ours = differencesOf(runtime, original, first).some(isFault)
        ? passedOnce(first, await run())
        : first;
      report(runtime, original, ours);
      differences.push(...differencesOf(runtime, original, ours));
    }
    return judge(differences);
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function suiteOf([option, suite, ...others]: string[]): string {
  const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.postgres;
  if (option !== '--suite' || suite === undefined || others.length > 0)
    throw new Error(`usage: npm run driver:suite -- --suite <checkout of porsager/postgres at v${pinned}>`);
  const { version } = JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8'));
  if (version !== pinned)
    throw new Error(`the checkout is of version ${version}, and package.json pins ${pinned}`);
  return suite;
}

interface SuiteRun {
  suite: string;
  sources: string;
  runtime: 'node' | 'bun';
  folder: string;
  servers: SuiteServers;
}

/** Runs the suite over some sources; resolves to what became of each test, `ok` or what was wrong. */
async function runSuite({ suite, sources, runtime, folder, servers }: SuiteRun): Promise<Outcomes> {
  const copy = mkdtempSync(join(folder, 'run-'));
  const tests = join(copy, 'tests');
  cpSync(join(suite, 'tests'), tests, { recursive: true });
  cpSync(sources, join(copy, 'src'), { recursive: true });
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  cpSync(join(import.meta.dir, 'suite-harness.js'), join(tests, 'test.js'));
  const [first, second] = servers.ports;
  for (const name of readdirSync(tests).filter((one) => one.endsWith('.js') && one !== 'test.js')) {
    const text = readFileSync(join(tests, name), 'utf8');
    const ported = text.replaceAll(/\b5432\b/g, String(first)).replaceAll(/\b5433\b/g, String(second));
    writeFileSync(join(tests, name), ported);
  }
  const results = join(copy, 'results.json');
  const child = spawn(runtime, ['index.js'], {
    cwd: tests,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PGUSER: 'postgres',
      PGHOST: 'localhost',
      PGPORT: String(first),
      PGSOCKET: servers.socketFolder,
      RESULTS: results,
    },
  });
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (code !== 0) throw new Error(`the suite ended with ${code} on ${runtime}`);
  return JSON.parse(readFileSync(results, 'utf8'));
}

function report(runtime: string, original: Outcomes, ours: Outcomes): void {
  const passed = (outcomes: Outcomes) => Object.values(outcomes).filter((outcome) => outcome === 'ok').length;
  const total = Object.keys(ours).length;
  process.stdout.write(
    `${runtime}: ${passed(ours)} of ${total} pass, and ${passed(original)} without the patch\n`,
  );
}

/** Tests that pass with one of the two sources alone. */
function differencesOf(runtime: Difference['runtime'], original: Outcomes, ours: Outcomes): Difference[] {
  return Object.entries(ours)
    .filter(([test, outcome]) => (outcome === 'ok') !== (original[test] === 'ok'))
    .map(([test, outcome]) => ({ runtime, test, outcome, isWorse: outcome !== 'ok' }));
}

/** A test that fails with the patch alone, and is not known to. */
const isFault = ({ test, isWorse }: Difference) => isWorse && knownDifferences[test] === undefined;

function passedOnce(first: Outcomes, second: Outcomes): Outcomes {
  return Object.fromEntries(
    Object.entries(second).map(([test, outcome]) => [test, first[test] === 'ok' ? 'ok' : outcome]),
  );
}

function judge(differences: readonly Difference[]): number {
  for (const difference of differences) {
    const { runtime, test, outcome, isWorse } = difference;
    const kind = isWorse ? (isFault(difference) ? 'FAILS' : 'known') : 'mended';
    const text = isWorse ? (knownDifferences[test] ?? outcome) : 'passes with the patch alone';
    process.stdout.write(`${kind}  ${runtime}  ${test}: ${text}\n`);
  }
  return differences.some(isFault) ? 1 : 0;
}

process.exitCode = await main();
