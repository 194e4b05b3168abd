import { spawn } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { type SharedResource, useShared } from '../run/shared-resources.ts';
import { createTempDir } from '../run/temp-dir.ts';

const BIN = join(PROJECT_ROOT, 'node_modules', '.bin');
/** Variables that keep npm from using a registry. */
export const OFFLINE = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

export interface CommandOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The newest compiler, which users get. It needs a third of the CPU of the one that builds the package. */
export const USERS_COMPILER = join(PROJECT_ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');

export interface RunOptions {
  cwd: string;
  environment?: Record<string, string>;
  /** The standard input, which is then closed. */
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
  // A command that ignores its input may end before the input is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...outcome, code }));
  });
}

/** Runs a command that must succeed, and returns its standard output. */
export async function output(command: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, options);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** The package built by `npm run client:pack`. */
export interface PackedClient {
  /** The clone in which it was packed. */
  readonly clone: string;
  readonly tarball: string;
  /** The files of the tarball, and the folder where they are unpacked. */
  readonly files: readonly string[];
  readonly unpacked: string;
  /** The output of the command. */
  readonly printed: string;
}

/** The name of the shared resource in a run. */
export const PACKED_CLIENT = 'packed-client';
const CLONED = [
  'package.json',
  '.config/package.json',
  'bun.lock',
  'bunfig.toml',
  'patches',
  'tsconfig.json',
  'sandbox',
  'packages',
];

/** Packs the package in a clone with the dependencies that `npm start` installs. */
export async function packClient(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<SharedResource<PackedClient>> {
  const clone = join(folder, 'launchwire');
  const isBuilt = (path: string) => path.endsWith(join('client', 'dist'));
  for (const name of CLONED)
    cpSync(join(PROJECT_ROOT, name), join(clone, name), {
      recursive: true,
      filter: (path) => !isBuilt(path),
    });
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(clone, 'node_modules'));
  const printed = await output(['npm', 'run', '--silent', 'client:pack'], {
    cwd: clone,
    environment: { ...OFFLINE, ...environment },
  });
  const tarball = join(clone, printed.split('\n')[0] ?? '');
  await output(['tar', '-xzf', tarball], { cwd: folder });
  const listed = (await output(['tar', '-tzf', tarball], { cwd: folder })).trim().split('\n');
  const value = {
    clone,
    tarball,
    files: listed.map((path) => path.replace(/^package\//, '')),
    unpacked: join(folder, 'package'),
    printed,
  };
  return { value };
}

/** Packs the package once for all files of a run, which must not write into it. */
export function packedClient(): Promise<PackedClient> {
  return useShared(PACKED_CLIENT, packClient);
}

/** The command line as JavaScript, for every runtime. */
export async function builtCommandLine(): Promise<string> {
  return join((await packedClient()).unpacked, 'dist', 'cli', 'main.js');
}

/** Creates a project and installs only the package, from its tarball like users. */
export async function installTarball(tarball: string, type: 'module' | 'commonjs'): Promise<string> {
  const folder = createTempDir(`project-${type}`);
  writeFileSync(join(folder, 'package.json'), `{ "private": true, "type": "${type}" }\n`);
  await output(['npm', 'install', tarball], { cwd: folder, environment: OFFLINE });
  return folder;
}

/** A project of ES modules with the package. */
export async function installPackedClient(): Promise<PackedClient & { readonly folder: string }> {
  const packed = await packedClient();
  return { ...packed, folder: await installTarball(packed.tarball, 'module') };
}
