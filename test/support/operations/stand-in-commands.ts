import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from '../run/cleanup.ts';
import { createTempDir } from '../run/temp-dir.ts';

export interface Call {
  args: readonly string[];
  /** Standard input, read to its end. */
  input: Uint8Array<ArrayBuffer>;
  environment: Readonly<Record<string, string>>;
}

export interface CallResult {
  code: number;
  output: Uint8Array<ArrayBuffer>;
  errors: string;
}

export type StandInCommand = (call: Call) => Promise<CallResult>;

const CLIENT = join(import.meta.dir, 'stand-in-client.ts');

/**
 * Creates programs for scripts in a folder for PATH. This process does their work, so that processes that
 * they start outlive them, as with docker and systemd, and end with the test.
 */
export function serveCommands(folder: string, commands: Readonly<Record<string, StandInCommand>>): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // A command may take long.
    idleTimeout: 0,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      const { args, environment } = JSON.parse(
        Buffer.from(request.headers.get('x-call') ?? '', 'base64').toString(),
      ) as Pick<Call, 'args' | 'environment'>;
      const input = new Uint8Array(await request.arrayBuffer());
      const result = await commands[name]?.({ args, input, environment }).catch((error: unknown) => ({
        code: 1,
        output: new Uint8Array(),
        errors: `${name} ${args.join(' ')}: ${error instanceof Error ? error.message : error}\n`,
      }));
      if (result === undefined) return new Response(null, { status: 404 });
      return new Response(result.output, {
        headers: {
          'x-code': String(result.code),
          'x-errors': Buffer.from(result.errors).toString('base64'),
        },
      });
    },
  });
  atEnd(async () => void (await server.stop(true)));
  for (const name of Object.keys(commands)) {
    const script = join(bin, name);
    writeFileSync(
      script,
      `#!/bin/sh\nexec '${process.execPath}' '${CLIENT}' '${server.url.origin}' ${name} "$@"\n`,
    );
    chmodSync(script, 0o755);
  }
  return bin;
}

/** A folder for PATH with only `bun`, because the running executable may have another name. */
export function folderOfBun(): string {
  const folder = createTempDir('bun');
  symlinkSync(process.execPath, join(folder, 'bun'));
  return folder;
}

/** The behaviour of a program that runs to its end. */
export async function runToEnd(
  command: readonly string[],
  {
    cwd,
    input,
    environment,
  }: { cwd: string; input: Uint8Array<ArrayBuffer>; environment: Record<string, string> },
): Promise<CallResult> {
  const child = Bun.spawn([...command], {
    cwd,
    env: environment,
    stdin: input,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).arrayBuffer(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: new Uint8Array(output), errors };
}

export const done = (text = ''): CallResult => ({
  code: 0,
  output: new TextEncoder().encode(text),
  errors: '',
});
