import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningChild, startChild } from '../../../sandbox/services/child-process.ts';
import { STOP_TIMEOUT_MS } from '../processes/service-processes.ts';
import { atEnd } from '../run/cleanup.ts';
import { type Call, type CallResult, done, folderOfBun } from './stand-in-commands.ts';

/** Replaces `systemctl` for the units of one template. It starts their programs below a folder that replaces
 * `/`. */
export class SystemdUnits {
  readonly #root: string;
  /** Variables by process that differ on this machine. */
  readonly #changes: Readonly<Record<string, Record<string, string>>>;
  readonly #bun = folderOfBun();
  readonly #running = new Map<string, RunningChild>();

  constructor(root: string, changes: Readonly<Record<string, Record<string, string>>>) {
    this.#root = root;
    this.#changes = changes;
    atEnd(async () => void (await Promise.all([...this.#running.values()].map((child) => child.stop()))));
  }

  async call({ args }: Call): Promise<CallResult> {
    const [verb = '', ...units] = args.filter((arg) => arg !== '--now');
    if (verb === 'daemon-reload') return done();
    if (!['enable', 'start', 'restart', 'stop'].includes(verb))
      throw new Error('this command is not known here');
    if (verb === 'enable' && !args.includes('--now')) throw new Error('enable without --now starts nothing');
    for (const unit of units) {
      if (verb === 'restart' || verb === 'stop') await this.#stop(unit);
      if (verb !== 'stop') await this.#start(unit);
    }
    return done();
  }

  /** The last output of the processes. */
  lastLines(): string[] {
    return [...this.#running.values()].flatMap((child) => [child.name, ...child.lastLines()]);
  }

  async #stop(unit: string): Promise<void> {
    const child = this.#running.get(unit);
    this.#running.delete(unit);
    const { code = 0 } = (await child?.stop()) ?? {};
    if (code !== 0) throw new Error(`${unit} ended with ${code} when it was stopped`);
  }

  async #start(unit: string): Promise<void> {
    const [, template = '', instance = ''] = /^([\w-]+@)([\w-]+)$/.exec(unit) ?? [];
    const text = readFileSync(join(this.#root, 'etc/systemd/system', `${template}.service`), 'utf8');
    const settings = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) =>
        value.replaceAll('%i', instance).replace(/(^|\s)(\/(?:opt|etc)\/)/g, `$1${this.#root}$2`),
      );
    const assignments = [
      ...settings('Environment').flatMap((line) => line.split(' ')),
      ...settings('EnvironmentFile').flatMap((file) => readFileSync(file, 'utf8').split('\n')),
    ].filter((line) => line.includes('='));
    const environment: Record<string, string> = Object.fromEntries(
      assignments.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const [command = '', ...args] = settings('ExecStart')[0]?.split(' ') ?? [];
    const child = await startChild({
      name: unit,
      command,
      args,
      cwd: settings('WorkingDirectory')[0] ?? '/',
      env: {
        ...environment,
        // This folder replaces `/usr/local/bin`, which has `bun`.
        PATH: `${this.#bun}:${environment.PATH ?? ''}`,
        ...this.#changes[instance],
      },
      stopTimeoutMs: STOP_TIMEOUT_MS,
    });
    this.#running.set(unit, child);
  }
}
