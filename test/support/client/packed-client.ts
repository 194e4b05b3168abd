import { spawn } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '../run/temp-dir.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..', '..');
const BIN = join(PROJECT_ROOT, 'node_modules', '.bin');

export interface CommandOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The newest compiler, which users get; it checks types in a third of the CPU of the one that builds the package. */
export const USERS_COMPILER = join(PROJECT_ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');

export interface RunOptions {
  cwd: string;
  environment?: Record<string, string>;
  /** Goes to standard input, which is then closed. */
  input?: string;
}

/** Runs a command to its end. The TypeScript compiler and Bun of the project are on its PATH. */
export function runCommand(
  [command = '', ...args]: readonly string[],
  { cwd, environment = {}, input = '' }: RunOptions,
): Promise<CommandOutcome> {
  const env = { ...process.env, PATH: `${BIN}:${process.env.PATH}`, ...environment };
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const outcome: CommandOutcome = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    outcome.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    outcome.stderr += text;
  });
  // A command that does not read its input may end before it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...outcome, code }));
  });
}

/** Runs a command that must succeed; its standard output. */
export async function output(command: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, options);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** The command line as JavaScript, for every runtime. */
export async function builtCommandLine(): Promise<string> {
  const folder = createTempDir('command-line');
  const source = join(PROJECT_ROOT, 'packages', 'client');
  await output(['tsc', '-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist')], { cwd: source });
  cpSync(join(source, 'package.json'), join(folder, 'package.json'));
  return join(folder, 'dist', 'cli', 'main.js');
}

/** Packs a copy of the package with its scripts, as its publisher does: several test files may pack at once. */
export async function packClient(): Promise<{ tarball: string; files: string[] }> {
  const root = createTempDir('packed-client');
  const cwd = join(root, 'packages', 'client');
  cpSync(join(PROJECT_ROOT, 'packages', 'client'), cwd, {
    recursive: true,
    filter: (path) => !path.endsWith(join('client', 'dist')),
  });
  cpSync(join(PROJECT_ROOT, 'tsconfig.json'), join(root, 'tsconfig.json'));
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  const packed = await output(['npm', 'pack', '--json', '--pack-destination', root], { cwd });
  // What `prepack` prints comes before it.
  const [{ filename = '', files = [] } = {}] = JSON.parse(packed.slice(packed.lastIndexOf('\n[') + 1)) as {
    filename?: string;
    files?: { path: string }[];
  }[];
  return { tarball: join(root, filename), files: files.map(({ path }) => path) };
}

/** A project that has installed the package from its tarball, as users do, and nothing else. */
export async function installTarball(tarball: string, type: 'module' | 'commonjs'): Promise<string> {
  const folder = createTempDir(`project-${type}`);
  writeFileSync(join(folder, 'package.json'), `{ "private": true, "type": "${type}" }\n`);
  const flags = ['--offline', '--no-audit', '--no-fund'];
  await output(['npm', 'install', ...flags, tarball], { cwd: folder });
  return folder;
}

/** A project of ES modules with the package. */
export async function installPackedClient(): Promise<{ folder: string; tarball: string; files: string[] }> {
  const { tarball, files } = await packClient();
  return { folder: await installTarball(tarball, 'module'), tarball, files };
}
