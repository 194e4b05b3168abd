import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debianExecutable } from '../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../sandbox/services/executable.ts';
import { silent } from '../../sandbox/services/log.ts';
import type { SandboxState } from '../../sandbox/state-file.ts';
import { contractOperations as operations } from '../../src/contract-operations.ts';
import { guides } from '../../src/documentation/guides/catalogue.ts';
import type { Sample } from '../../src/documentation/reference/sample.ts';
import { sampleRequest } from '../../src/documentation/reference/sample-request.ts';
import { samplesOf } from '../../src/documentation/reference/samples.ts';
import { LiveValues, withLiveValues } from '../support/documentation/live-values.ts';
import { createSandboxDir, startSandbox } from '../support/sandbox/sandbox-process.ts';

/** Missing programs are installed first. */
const START_TIMEOUT_MS = 300_000;
const SAMPLE_TIMEOUT_MS = 150_000;
const ROOT = join(import.meta.dir, '..', '..');

const sandboxDir = createSandboxDir();
/** Where a reader would be: a folder with the repository's files and the `.sandbox` of a running sandbox. */
const workDir = dirname(sandboxDir);
let state: SandboxState;
let live: LiveValues;
let origin: string;
let commands: Readonly<Record<'sh' | 'ts' | 'py', readonly string[]>>;

beforeAll(async () => {
  const limit = { limit: 100_000, windowSeconds: 60 };
  const RATE_LIMITS = JSON.stringify({
    'public-read-cheap': limit,
    'public-read-expensive': limit,
    'webhook-admin': limit,
  });
  ({ state } = await startSandbox(sandboxDir, [], { SANDBOX_DEMO_PACE: '8', RATE_LIMITS }));
  origin = new URL(state.baseUrl).origin;
  live = new LiveValues(state);
  symlinkSync(sandboxDir, join(workDir, '.sandbox'));
  for (const name of ['package.json', 'examples', 'node_modules']) {
    symlinkSync(join(ROOT, name), join(workDir, name));
  }
  const python = await program('python3', 'python3');
  await Promise.all([program('curl', 'curl'), program('openssl', 'openssl')]);
  const bash = await program('bash', 'bash');
  commands = { sh: [bash, '-eu'], ts: [process.execPath], py: [python] };
}, START_TIMEOUT_MS);

async function program(name: string, debianPackage: string): Promise<string> {
  const path = findExecutable(name) ?? (await debianExecutable(name, [debianPackage], silent));
  if (path === undefined) throw new Error(`${name} is missing: install it, so that the samples can be run`);
  return path;
}

let files = 0;

/** Runs a program as a reader would: with the key in the environment and nothing else of ours. */
async function run(language: 'sh' | 'ts' | 'py', code: string, variables: Record<string, string> = {}) {
  files += 1;
  const folder = join(workDir, 'samples');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `sample-${files}.${language}`);
  writeFileSync(file, code);
  const { PATH = '', HOME = '' } = process.env;
  const child = Bun.spawn([...commands[language], file], {
    cwd: workDir,
    env: { PATH, HOME, LAUNCHWIRE_API_KEY: state.apiKey, ...variables },
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

/** A second prediction of one wallet in a round is refused, whichever sample sends it. */
const refusals: Readonly<Record<string, string>> = { createPrediction: 'prediction_already_submitted' };

describe('samples of operations run as they are shown', () => {
  const cases = operations.flatMap((operation) =>
    samplesOf(sampleRequest(operation, 'http://sample')).map(({ label }) => [operation.id, label] as const),
  );

  test.each(cases)(
    '%s in %s',
    async (id, label) => {
      const sample = sampleOf(id, label);
      const code = withLiveValues(sample.code, await live.replacementsFor(id));
      const { output, errors, exitCode } = await run(sample.language as 'sh' | 'ts' | 'py', code);
      const refusal = refusals[id];
      if (refusal !== undefined && (output + errors).includes(refusal)) return;
      expect({ errors: exitCode === 0 ? '' : errors, exitCode }, code).toEqual({ errors: '', exitCode: 0 });
      // curl ends with 0 whatever the status: a problem shows in what it prints.
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

/** The code of a guide: its shell blocks in order as one script, each other block as a program of its own. */
function programsOf(slug: string) {
  const text = readFileSync(join(ROOT, 'docs/guides', `${slug}.md`), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)( by-hand)?\n([\s\S]*?)^```$/gm)]
    .filter(([, , byHand]) => byHand === undefined)
    .map(([, language = '', , code = '']) => ({
      language,
      code: code.replaceAll('http://localhost:3000', origin),
    }));
  const shell = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
  return {
    shell: shell.join('\n'),
    others: blocks.filter(({ language }) => language === 'ts' || language === 'py'),
  };
}

describe('code in guides runs as it is shown', () => {
  test.each(guides.map(({ slug }) => slug))(
    '%s',
    async (slug) => {
      const { shell, others } = programsOf(slug);
      const variables = { MINT: state.mint ?? '', WALLET_SECRET_KEY: state.wallet.secretKey };
      if (shell !== '') {
        const result = await run('sh', shell, slug === 'quick-start' ? {} : { MINT: variables.MINT });
        expect({ slug, ...result }).toMatchObject({ exitCode: 0 });
      }
      for (const { language, code } of others) {
        const result = await run(language as 'ts' | 'py', code, variables);
        expect({ slug, code, ...result }).toMatchObject({ exitCode: 0 });
      }
    },
    SAMPLE_TIMEOUT_MS,
  );
});
