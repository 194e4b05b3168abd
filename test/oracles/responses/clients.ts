import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../../sandbox/services/command.ts';
import { debianExecutable } from '../../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../../sandbox/services/executable.ts';

/** The last version for Node 20. */
const UNDICI = '7.30.2';

/** What a client read of one response. */
export interface Seen {
  status: number | null;
  /** In base64. */
  body: string;
  error: string | null;
}

export interface Client {
  version: string;
  /** Makes both requests of each row, one row after the other. */
  ask(port: number, rows: number): Promise<{ first: Seen; second: Seen }[]>;
}

/** The five clients by name; `folder` holds what is installed and compiled for them. */
export async function openClients(folder: string): Promise<Record<string, Client>> {
  const [curl, python, go] = await Promise.all([
    fromDebian('curl', 'curl'),
    fromDebian('python3', 'python3'),
    fromDebian('go', 'golang-go'),
  ]);
  const inFolder = (name: string) => join(import.meta.dir, 'clients', name);
  await output('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `undici@${UNDICI}`]);
  const binary = join(folder, 'net-http');
  const goCache = join(folder, 'go-cache');
  await output(go, ['build', '-o', binary, inFolder('net_http.go')], { GOCACHE: goCache, CGO_ENABLED: '0' });
  return {
    node: programClient((await output('node', ['--version'])).trim().slice(1), 'node', [
      inFolder('node-http.mjs'),
    ]),
    undici: programClient(UNDICI, 'node', [inFolder('undici.mjs')], {
      UNDICI: join(folder, 'node_modules', 'undici'),
    }),
    curl: curlClient(versionIn(await output(curl, ['--version'])), curl, folder),
    python: programClient(versionIn(await output(python, ['--version'])), python, [
      inFolder('http_client.py'),
    ]),
    go: programClient(versionIn(await output(go, ['version'])), binary, []),
  };
}

/** A program that gets the port and the number of rows, and writes a line of JSON for each row. */
function programClient(
  version: string,
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Client {
  return {
    version,
    async ask(port, rows) {
      const written = await output(command, [...args, String(port), String(rows)], environment);
      // Go logs bytes that come unasked.
      const lines = written.split('\n').filter((line) => line.startsWith('{'));
      return lines.map((line) => JSON.parse(line));
    },
  };
}

/** curl is a process for each row, with both requests in it. */
function curlClient(version: string, curl: string, folder: string): Client {
  const bodies = join(folder, 'curl');
  mkdirSync(bodies, { recursive: true });
  const files = [join(bodies, 'first'), join(bodies, 'second')] as const;
  const options = '--silent --max-time 5 --data {} --write-out %{json}\n --output'.split(' ');
  const requestTo = (url: string, file: string) => [...options, file, url];
  return {
    version,
    async ask(port, rows) {
      const results: { first: Seen; second: Seen }[] = [];
      for (let row = 0; row < rows; row += 1) {
        for (const file of files) writeFileSync(file, '');
        const url = (kind: string) => `http://127.0.0.1:${port}/${kind}/${row}`;
        const first = requestTo(url('row'), files[0]);
        const second = requestTo(url('next'), files[1]);
        const { output: written } = await runCommand(curl, [...first, '--next', ...second]);
        const [one, two] = written
          .trim()
          .split('\n')
          .map((line, index) => {
            const { http_code: status, exitcode, errormsg } = JSON.parse(line);
            const body = readFileSync(files[index] ?? '').toString('base64');
            return {
              status: status === 0 ? null : status,
              body,
              error: exitcode === 0 ? null : String(errormsg),
            };
          });
        // After some errors curl makes no second request.
        if (one === undefined || (two === undefined && one.error === null))
          throw new Error(`curl wrote ${written}`);
        results.push({ first: one, second: two ?? one });
      }
      return results;
    },
  };
}

async function output(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const { succeeded, output: written } = await runCommand(command, args, {
    env: { ...process.env, ...environment },
  });
  if (!succeeded) throw new Error(`${command} ${args.join(' ')} failed:\n${written}`);
  return written;
}

async function fromDebian(executable: string, packageName: string): Promise<string> {
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const found = findExecutable(executable) ?? (await debianExecutable(executable, [packageName], log));
  if (found === undefined)
    throw new Error(`${executable} is missing (Debian: apt-get install ${packageName})`);
  return found;
}

function versionIn(text: string): string {
  return /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0] ?? text.trim();
}
