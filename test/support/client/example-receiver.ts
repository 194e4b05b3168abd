import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debianExecutable } from '../../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../../sandbox/services/executable.ts';
import { freePort } from '../../../sandbox/services/free-port.ts';
import { silent } from '../../../sandbox/services/log.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';
import { createTempDir } from '../run/temp-dir.ts';
import { goEnvironment } from './go-environment.ts';
import { output } from './packed-client.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..', '..');
const RECEIVERS = join(PROJECT_ROOT, 'examples', 'receivers');

export interface RunningReceiver {
  url: string;
  /** Its output so far. */
  printed(): string;
}

/** The commands that start the receivers of `examples/receivers` on `PORT`, like a user's. */
export const receiverCommands: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  'node-http.ts on Node': () => onNode('node-http.ts'),
  'node-crypto.ts on Node': () => onNode('node-crypto.ts'),
  'express.ts on Node': () => onNode('express.ts'),
  'express.ts on Node, with Express 4': () =>
    onNode('express.ts', { express: import.meta.resolve('express-4') }),
  'fastify.ts on Node': () => onNode('fastify.ts'),
  'elysia.ts': async () => [process.execPath, join(RECEIVERS, 'elysia.ts')],
  'hono.ts': async () => [process.execPath, join(RECEIVERS, 'hono.ts')],
  'next-route.ts': async () => [process.execPath, '-e', nextServer()],
  'receiver.py': async () => [await fromDebian('python3', 'python3'), join(RECEIVERS, 'receiver.py')],
  'receiver.go': async () => [await compiledGo()],
};

/** Starts a receiver; it ends with the tests. */
export async function startExampleReceiver(
  command: readonly string[],
  environment: Record<string, string>,
): Promise<RunningReceiver> {
  const [executable = '', ...args] = command;
  const port = await freePort();
  const child = spawn(executable, args, {
    cwd: PROJECT_ROOT,
    env: { PATH: process.env.PATH, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}/webhooks`;
  await eventually(`a receiver: ${command.join(' ')}`, async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${printed}`);
    return fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    );
  });
  return { url, printed: () => printed };
}

/**
 * Runs a receiver of the examples as JavaScript, because old versions of Node cannot read types.
 *
 * @param replaced addresses of modules, by the name of a package that the receiver imports
 */
function onNode(name: string, replaced: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  return fileOnNode(join(RECEIVERS, name), replaced);
}

/** Runs a program in TypeScript on Node. */
export async function fileOnNode(
  file: string,
  replaced: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const outdir = createTempDir('receiver');
  const replace: Bun.BunPlugin = {
    name: 'replace',
    setup({ onResolve }) {
      for (const [from, to] of Object.entries(replaced))
        onResolve({ filter: new RegExp(`^${from}$`) }, () => ({ path: fileURLToPath(to) }));
    },
  };
  const { outputs } = await Bun.build({ entrypoints: [file], outdir, target: 'node', plugins: [replace] });
  return ['node', outputs[0]?.path ?? ''];
}

/** A server that calls the route's function like Next. */
function nextServer(): string {
  const route = JSON.stringify(join(RECEIVERS, 'next-route.ts'));
  return `const { POST } = await import(${route}); Bun.serve({ hostname: '127.0.0.1', port: process.env.PORT, fetch: POST });`;
}

let compilation: Promise<string> | undefined;

/** Compiles once, because that takes half a minute with an empty cache. */
function compiledGo(): Promise<string> {
  compilation ??= compileGo();
  return compilation;
}

async function compileGo(): Promise<string> {
  const folder = createTempDir('receiver-go');
  const go = await fromDebian('go', 'golang-go');
  const binary = join(folder, 'receiver');
  const command = [go, 'build', '-o', binary, join(RECEIVERS, 'receiver.go')];
  await output(command, { cwd: folder, environment: await goEnvironment() });
  return binary;
}

async function fromDebian(executable: string, packageName: string): Promise<string> {
  const found = findExecutable(executable) ?? (await debianExecutable(executable, [packageName], silent));
  if (found !== undefined) return found;
  throw new Error(
    `${executable} is missing and could not be installed (Debian: apt-get install ${packageName})`,
  );
}
