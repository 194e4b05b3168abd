import { beforeAll, describe, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianExecutable } from '../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../sandbox/services/executable.ts';
import { silent } from '../../sandbox/services/log.ts';
import type { SandboxState } from '../../sandbox/shared/state-file.ts';
import { contractDefinitions as operations } from '../../src/api/routes.ts';
import { guides } from '../../src/documentation/guides/catalogue.ts';
import { sampleRequest } from '../../src/documentation/reference/sample-request.ts';
import type { Sample } from '../../src/documentation/reference/samples.ts';
import { samplesOf } from '../../src/documentation/reference/samples.ts';
import { SMALL_PNG } from '../support/api/sample-requests.ts';
import { goEnvironment } from '../support/client/go-environment.ts';
import { installPackedClient, runCommand, USERS_COMPILER } from '../support/client/packed-client.ts';
import { LiveValues, withLiveValues } from '../support/documentation/live-values.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { startSandbox } from '../support/sandbox/sandbox-process.ts';

/** Missing programs are installed first. */
const START_TIMEOUT_MS = 300_000;
const SAMPLE_TIMEOUT_MS = 150_000;
const ROOT = join(import.meta.dir, '..', '..');

/** The reader's folder: the repository's files and the `.sandbox` of a running sandbox. */
const workDir = createTempDir('reader');
const SANDBOX_DIR = join(workDir, '.sandbox');
/** PATH lists this folder before those of the machine. */
const programs = join(workDir, 'programs');
let state: SandboxState;
let live: LiveValues;
let origin: string;
/** Ids of the endpoints that the sandbox itself has made. */
let sandboxEndpoints: ReadonlySet<string>;
/** A project with the npm package installed. */
let packed: string;
let commands: Readonly<Record<'sh' | 'ts' | 'mjs' | 'py' | 'go', readonly string[]>>;

type Language = keyof typeof commands;
let go: Readonly<Record<string, string>>;

beforeAll(async () => {
  const limit = { limit: 100_000, windowSeconds: 60 };
  const RATE_LIMITS = JSON.stringify({
    'public-read-cheap': limit,
    'public-read-expensive': limit,
    'webhook-admin': limit,
  });
  ({ state } = await startSandbox(SANDBOX_DIR, [], { SANDBOX_DEMO_PACE: '8', RATE_LIMITS }));
  origin = new URL(state.baseUrl).origin;
  live = new LiveValues(state);
  sandboxEndpoints = new Set((await listEndpoints()).map(({ id }) => id));
  for (const name of ['package.json', 'examples', 'node_modules', 'sandbox', 'src']) {
    symlinkSync(join(ROOT, name), join(workDir, name));
  }
  writeFileSync(join(workDir, 'token.png'), SMALL_PNG);
  ({ folder: packed } = await installPackedClient());
  const python = await program('python3', 'python3');
  await Promise.all([program('curl', 'curl'), program('openssl', 'openssl')]);
  const bash = await program('bash', 'bash');
  const node = findExecutable('node') ?? expect.unreachable();
  const goCommand = await program('go', 'golang-go');
  go = await goEnvironment();
  writeNpx();
  commands = { sh: [bash, '-eu'], ts: [process.execPath], mjs: [node], py: [python], go: [goCommand, 'run'] };
}, START_TIMEOUT_MS);

async function listEndpoints(): Promise<readonly { id: string; version: number }[]> {
  const headers = { Authorization: `Bearer ${state.apiKey}` };
  const response = await fetch(`${state.baseUrl}/webhook-endpoints`, { headers });
  const { data } = (await response.json()) as { data: { id: string; version: number }[] };
  return data;
}

/** An account has at most 20 endpoints, and the samples of operations leave those that they make. */
async function deleteMadeEndpoints(): Promise<void> {
  for (const { id, version } of await listEndpoints()) {
    if (sandboxEndpoints.has(id)) continue;
    const headers = {
      Authorization: `Bearer ${state.apiKey}`,
      'Idempotency-Key': crypto.randomUUID(),
      'If-Match': `"${version}"`,
    };
    const { status } = await fetch(`${state.baseUrl}/webhook-endpoints/${id}`, { method: 'DELETE', headers });
    expect(status).toBe(200);
  }
}

async function program(name: string, debianPackage: string): Promise<string> {
  const path = findExecutable(name) ?? (await debianExecutable(name, [debianPackage], silent));
  if (path === undefined) throw new Error(`${name} is missing: install it, so that the samples can be run`);
  return path;
}

/** A fast replacement for `npx`, which takes 2 s to read all installed packages.
 * test/e2e/client-install-lines.test.ts uses the real one. */
function writeNpx(): void {
  mkdirSync(programs);
  const script = `#!/bin/sh\n[ "$1 $2" = '--no-install launchwire' ] || exit 127\nshift 2\nexec node '${workDir}/sandbox/launchwire.mjs' "$@"\n`;
  writeFileSync(join(programs, 'npx'), script, { mode: 0o755 });
}

let files = 0;

/** Programs that use the npm package are written where it is installed. */
function sampleFile(language: Language, code: string): string {
  files += 1;
  const folder = /from ['"]launchwire/.test(code) ? packed : join(workDir, 'samples');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `sample-${files}.${language}`);
  writeFileSync(file, code);
  return file;
}

const RUNS_MAX = 3;

/** The demo market has moved further than the swap allows, or landed one order of a pair before the other was signed. */
const MARKET_MOVED = /ExceededSlippage|order_nonce_spent/;

/** Runs a program like a reader, with only these variables. Repeats it when the market has moved. */
async function run(language: Language, code: string, variables: Record<string, string>) {
  for (let runs = 1; ; runs += 1) {
    const ended = await runOnce(language, code, variables);
    if (runs === RUNS_MAX || !MARKET_MOVED.test(ended.output + ended.errors)) return ended;
  }
}

async function runOnce(language: Language, code: string, variables: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const child = Bun.spawn([...commands[language], sampleFile(language, code)], {
    cwd: workDir,
    // The admin CLI runs from the linked sources, and would look for a sandbox beside those.
    env: { PATH: `${programs}:${PATH}`, HOME, SANDBOX_DIR, ...(language === 'go' && go), ...variables },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { output, errors, exitCode };
}

/** The api refuses a second prediction of a wallet in the same round, whichever sample sends it. */
const refusals: Readonly<Record<string, string>> = { createPrediction: 'prediction_already_submitted' };

describe('samples of operations run as they are shown', () => {
  const cases = operations.flatMap((operation) =>
    samplesOf(sampleRequest(operation, 'http://sample')).map(({ label }) => [operation.id, label] as const),
  );

  test.each(cases)(
    '%s in %s',
    async (id, label) => {
      const sample = sampleOf(id, label);
      const runNow = async () => {
        const code = withLiveValues(sample.code, await live.replacementsFor(id));
        return {
          code,
          ...(await run(sample.language as Language, code, { LAUNCHWIRE_API_KEY: state.apiKey })),
        };
      };
      const isLate = ({ output, errors }: { output: string; errors: string }) =>
        /prediction_round_not_open|webhook_delivery_not_retrying/.test(output + errors);
      const first = await runNow();
      // The round of its values has ended in the meantime, or the relay makes the next attempt; there are others.
      const { code, output, errors, exitCode } = isLate(first) ? await runNow() : first;
      const refusal = refusals[id];
      if (refusal !== undefined && (output + errors).includes(refusal)) return;
      expect({ errors: exitCode === 0 ? '' : errors, exitCode }, code).toEqual({ errors: '', exitCode: 0 });
      // curl exits with 0 for any status, so only its output shows a problem.
      expect(output.length).toBeGreaterThan(2);
      expect(output).not.toContain('"requestId":"req_');
    },
    SAMPLE_TIMEOUT_MS,
  );

  function sampleOf(id: string, label: string): Sample {
    const operation = operations.find((one) => one.id === id);
    const sample =
      operation && samplesOf(sampleRequest(operation, origin)).find((one) => one.label === label);
    return sample ?? expect.unreachable();
  }
});

interface Block {
  language: string;
  code: string;
  /** Runs until Ctrl-C. */
  isEndless: boolean;
}

/** A code fence. Its language may be followed by `tab` (the same in several languages), by `until-stopped`, or by
 * the reason why only a reader can run it. */
const FENCE = /^```(\w+)(?: (tab|until-stopped|by-hand \([^)]{10,}\)))?\n([\s\S]*?)^```$/gm;

function blocksOf(slug: string): Block[] {
  const text = readFileSync(join(ROOT, 'docs/guides', `${slug}.md`), 'utf8');
  const found = [...text.matchAll(FENCE)];
  // No test would run a fence of another form.
  expect(found.length * 2).toBe([...text.matchAll(/^```/gm)].length);
  return found
    .filter(([, , marker = '']) => !marker.startsWith('by-hand'))
    .map(([, language = '', marker, code = '']) => ({
      language,
      code: code.replaceAll('http://localhost:3000', origin),
      isEndless: marker === 'until-stopped',
    }));
}

/** The program for Node 20: unchanged in the guide to swaps, elsewhere without its types. */
function javascriptOf(slug: string, code: string): string {
  return slug === 'swaps' ? code : new Bun.Transpiler({ loader: 'ts' }).transformSync(code);
}

/** Programs that run after a shell script get the variables that it exports. */
function withExports(code: string) {
  const file = join(workDir, `exports-${files}`);
  const exported = () =>
    Object.fromEntries(
      readFileSync(file, 'utf8')
        .split('\0')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  return { code: `${code}\nenv -0 > '${file}'\n`, exported };
}

describe('code in guides runs as it is shown, in a fresh terminal', () => {
  beforeAll(deleteMadeEndpoints);

  test.each(guides.map(({ slug }) => slug))(
    '%s',
    async (slug) => {
      const blocks = blocksOf(slug);
      const shell = blocks.filter(({ language, isEndless }) => language === 'sh' && !isEndless);
      const script = withExports(shell.map(({ code }) => code).join('\n'));
      const result = await run('sh', script.code, {});
      expect({ slug, ...result }).toMatchObject({ exitCode: 0 });
      // curl exits with 0 for any status.
      if (slug !== 'errors') expect(result.output).not.toContain('"requestId":"req_');
      for (const { language, code, isEndless } of blocks) {
        if (isEndless) {
          const stopped = await runUntilStopped(language as 'sh' | 'ts', code, script.exported());
          expect({ slug, code, ...stopped }).toMatchObject({ wasAlive: true });
        } else if (language === 'ts' || language === 'py' || language === 'go') {
          const ended = await run(language, code, script.exported());
          expect({ slug, code, ...ended }).toMatchObject({ exitCode: 0 });
          if (language !== 'ts') continue;
          const onNode = await run('mjs', javascriptOf(slug, code), script.exported());
          expect({ slug, runtime: 'node', code, ...onNode }).toMatchObject({ exitCode: 0 });
        }
      }
    },
    // The Go compiler starts with an empty cache.
    START_TIMEOUT_MS,
  );

  test(
    'programs in TypeScript are strict',
    async () => {
      symlinkSync(join(ROOT, 'node_modules', '@solana'), join(packed, 'node_modules', '@solana'));
      for (const name of ['bs58', 'express', 'standardwebhooks'])
        symlinkSync(join(ROOT, 'node_modules', name), join(packed, 'node_modules', name));
      symlinkSync(join(ROOT, 'node_modules', '@types'), join(packed, 'node_modules', '@types'));
      const names = guides.flatMap(({ slug }) =>
        blocksOf(slug)
          .filter(({ language }) => language === 'ts')
          .map(({ code }, at) => {
            writeFileSync(join(packed, `${slug}-${at}.mts`), code);
            return `${slug}-${at}.mts`;
          }),
      );
      expect(names.length).toBeGreaterThan(5);
      // The options of the guide to swaps. They also check the libraries of web3.js.
      const options = '--noEmit --strict --target es2022 --module nodenext --types node'.split(' ');
      const { stdout, code } = await runCommand([USERS_COMPILER, ...options, ...names], { cwd: packed });
      expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    },
    SAMPLE_TIMEOUT_MS,
  );

  test('a guide installs the major version of web3.js that its programs are written for', () => {
    for (const { slug } of guides) {
      const text = readFileSync(join(ROOT, 'docs/guides', `${slug}.md`), 'utf8');
      for (const [, packages = ''] of text.matchAll(/npm install ([^`\n]*)/g))
        if (packages.includes('web3.js'))
          expect({ slug, packages }).toMatchObject({ packages: expect.stringContaining('web3.js@1') });
    }
  });
});

/** An endless program prints one of these when it works. */
const WORKING = /listening|waiting for events|trade|\{/;

/** Runs a program until it works, then presses Ctrl-C. */
async function runUntilStopped(language: 'sh' | 'ts', code: string, environment: Record<string, string>) {
  const child = spawn(
    commands[language][0] ?? '',
    [...commands[language].slice(1), sampleFile(language, code)],
    {
      cwd: workDir,
      env: environment,
      // A terminal also starts each command in its own process group.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const group = -(child.pid ?? expect.unreachable());
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  let output = '';
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await eventually('a sign of work', async () => hasEnded || WORKING.test(output), SAMPLE_TIMEOUT_MS);
  const wasAlive = !hasEnded;
  if (wasAlive) process.kill(group, 'SIGINT');
  await ended;
  return { wasAlive, output };
}
