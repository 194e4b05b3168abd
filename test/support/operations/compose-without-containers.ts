import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningChild, startChild } from '../../../sandbox/services/child-process.ts';
import { freePort } from '../../../sandbox/services/free-port.ts';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { STOP_TIMEOUT_MS } from '../processes/service-processes.ts';
import { atEnd } from '../run/cleanup.ts';
import type { PostgresTools } from './postgres-tools.ts';
import { startOwnersPostgres, startShippedNats, startShippedRedis } from './shipped-stores.ts';
import { type Call, type CallResult, done, folderOfBun, runToEnd } from './stand-in-commands.ts';

/** ENTRYPOINT of the Dockerfile. */
const IMAGE_ENTRYPOINT = ['ops/docker/entrypoint.sh'];
const stores = { postgres: 5432, nats: 4222, redis: 6379 } as const;
type Store = keyof typeof stores;
/** Services that run once, in the order of their start. */
const oneShots = ['migrate', 'users'];

interface Service {
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string | number>;
  volumes?: string[];
  profiles?: string[];
  depends_on?: Record<string, unknown>;
}

interface Running {
  child: RunningChild;
  /** The image and variables of the process. */
  fingerprint: string;
}

/**
 * Runs the services of `compose.yaml` on this machine, with its variables, programs, arguments and
 * configuration of the stores. Each store and process has a free port on loopback instead of a network.
 */
export class ComposeWithoutContainers {
  readonly #folder: string;
  readonly #tools: PostgresTools;
  readonly #services: Readonly<Record<string, Service>>;
  readonly #bun = folderOfBun();
  readonly #stores = new Map<Store, { port: number; stop(): Promise<void> }>();
  readonly #running = new Map<string, Running>();
  #image = 1;
  readonly #ports = new Map<string, number>();

  /** @param folder holds `.env` and the files that calls read */
  constructor(folder: string, tools: PostgresTools) {
    this.#folder = folder;
    this.#tools = tools;
    const text = readFileSync(join(PROJECT_ROOT, 'compose.yaml'), 'utf8');
    ({ services: this.#services } = Bun.YAML.parse(text) as { services: Record<string, Service> });
    atEnd(async () => void (await Promise.all([...this.#running.values()].map(({ child }) => child.stop()))));
  }

  /** The port of a process for a variable, which has the same value in every container of compose.yaml. */
  async port(service: string, variable: string): Promise<number> {
    const key = `${service} ${variable}`;
    const port = this.#ports.get(key) ?? (await freePort());
    this.#ports.set(key, port);
    return port;
  }

  /** The last output of the processes. */
  lastLines(): string[] {
    return [...this.#running.values()].flatMap(({ child }) => [child.name, ...child.lastLines()]);
  }

  /** Removes the server with all of its data. The next `up` creates a new one. */
  async losePostgres(): Promise<void> {
    await this.#stores.get('postgres')?.stop();
    this.#stores.delete('postgres');
  }

  async call(call: Call): Promise<CallResult> {
    const { values, flags, rest } = options(call.args);
    const [compose, verb, ...operands] = rest;
    if (compose !== 'compose') throw new Error('only compose is known');
    const settings = this.#settings(call.environment);
    const profiles = values('--profile');
    switch (verb) {
      case 'build':
        // The images run the present sources. A new image replaces the containers of the old one.
        this.#image += 1;
        return done();
      case 'up':
        await this.#up(this.#selected(operands, profiles, flags.has('--no-deps')), settings);
        return done();
      case 'stop':
        await this.#stop(operands.length > 0 ? operands : [...this.#running.keys()]);
        return done();
      case 'run':
      case 'exec':
        return this.#runOnce(verb, operands, values('-e'), call, settings);
      default:
        throw new Error('this command is not known here');
    }
  }

  #selected(named: readonly string[], profiles: readonly string[], isWithoutDependencies: boolean) {
    const all = Object.entries(this.#services);
    const wanted = new Set(
      named.length > 0
        ? named
        : all
            .filter(
              ([, { profiles: own = [] }]) => own.length === 0 || own.some((one) => profiles.includes(one)),
            )
            .map(([name]) => name),
    );
    for (const name of wanted) {
      const service = this.#service(name);
      if (!isWithoutDependencies) for (const one of Object.keys(service.depends_on ?? {})) wanted.add(one);
    }
    return wanted;
  }

  #service(name: string): Service {
    const service = this.#services[name];
    if (service === undefined) throw new Error(`no such service: ${name}`);
    return service;
  }

  async #up(wanted: ReadonlySet<string>, settings: Settings): Promise<void> {
    for (const name of Object.keys(stores) as Store[])
      if (wanted.has(name)) await this.#startStore(name, settings);
    for (const name of oneShots) {
      if (!wanted.has(name)) continue;
      const { code, errors } = await this.#runService(name, [], settings);
      if (code !== 0) throw new Error(`service "${name}" didn't complete successfully: ${errors}`);
    }
    const processes = [...wanted].filter((name) => !(name in stores) && !oneShots.includes(name));
    await Promise.all(processes.map((name) => this.#startProcess(name, settings)));
  }

  async #startStore(name: Store, settings: Settings): Promise<void> {
    if (this.#stores.has(name)) return;
    const environment = await this.#environment(name, settings);
    const nothing = async () => {};
    if (name === 'postgres')
      this.#stores.set(name, await startOwnersPostgres(this.#tools, environment.POSTGRES_PASSWORD ?? ''));
    if (name === 'nats') this.#stores.set(name, { port: await startShippedNats(environment), stop: nothing });
    if (name === 'redis') {
      const port = await startShippedRedis(environment.REDIS_PASSWORD ?? '');
      this.#stores.set(name, { port, stop: nothing });
    }
  }

  /** Replaces a process whose variables or image have changed. */
  async #startProcess(name: string, settings: Settings): Promise<void> {
    const environment = await this.#environment(name, settings);
    const fingerprint = `${this.#image} ${JSON.stringify(environment)}`;
    const before = this.#running.get(name);
    if (before?.fingerprint === fingerprint) return;
    await this.#stop([name]);
    const health = `http://127.0.0.1:${environment.METRICS_PORT}/healthz`;
    const [command = '', ...args] = this.#command(name, []);
    const child = await startChild({
      name,
      command,
      args,
      cwd: PROJECT_ROOT,
      env: environment,
      ready: () =>
        fetch(health).then(
          ({ ok }) => ok,
          () => false,
        ),
      stopTimeoutMs: STOP_TIMEOUT_MS,
    });
    this.#running.set(name, { child, fingerprint });
  }

  async #stop(names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const running = this.#running.get(name);
        this.#running.delete(name);
        const { code = 0 } = (await running?.child.stop()) ?? {};
        if (code !== 0) throw new Error(`${name} ended with ${code} when it was stopped`);
      }),
    );
  }

  async #runOnce(
    verb: 'run' | 'exec',
    [name = '', ...args]: readonly string[],
    passed: readonly string[],
    { input, environment }: Call,
    settings: Settings,
  ): Promise<CallResult> {
    const extra = Object.fromEntries(passed.map((one) => [one, environment[one] ?? '']));
    if (verb === 'run') return this.#runService(name, args, settings, { input, extra });
    if (name !== 'postgres') throw new Error('exec is known for postgres alone');
    const [program = '', ...rest] = args;
    return runToEnd([join(this.#tools.folder, program), ...rest], {
      cwd: this.#folder,
      input,
      environment: { ...(await this.#environment(name, settings)), ...this.#postgresAddress() },
    });
  }

  async #runService(
    name: string,
    args: readonly string[],
    settings: Settings,
    { input = new Uint8Array(), extra = {} }: { input?: Call['input']; extra?: Record<string, string> } = {},
  ): Promise<CallResult> {
    const environment = { ...(await this.#environment(name, settings)), ...extra };
    return runToEnd(this.#command(name, args), { cwd: PROJECT_ROOT, input, environment });
  }

  #command(name: string, args: readonly string[]): string[] {
    const { entrypoint = IMAGE_ENTRYPOINT, command = [], volumes = [] } = this.#service(name);
    const mounts = volumes.map((volume) => volume.split(':'));
    const onMachine = (text: string) => {
      const mount = mounts.find(([, inside = '']) => text.startsWith(inside));
      return mount === undefined ? text : join(PROJECT_ROOT, text.replace(mount[1] ?? '', mount[0] ?? ''));
    };
    return [...entrypoint, ...(args.length > 0 ? args : command)].map(onMachine);
  }

  #postgresAddress() {
    return { PGHOST: '127.0.0.1', PGPORT: String(this.#stores.get('postgres')?.port) };
  }

  /** The environment that compose gives the container, with addresses of this machine. */
  async #environment(name: string, settings: Settings): Promise<Record<string, string>> {
    const { PATH = '' } = process.env;
    const environment: Record<string, string> = {
      PATH: [this.#bun, this.#tools.folder, PATH].join(':'),
    };
    for (const [variable, value] of Object.entries(this.#service(name).environment ?? {})) {
      const text = this.#onMachine(interpolate(String(value), settings));
      if (/^(?:PORT|METRICS_PORT|INTERNAL_PORT)$/.test(variable))
        environment[variable] = String(await this.port(name, variable));
      else environment[variable] = /^(?:HOST|INTERNAL_HOST)$/.test(variable) ? '127.0.0.1' : text;
    }
    return 'PGHOST' in environment ? { ...environment, ...this.#postgresAddress() } : environment;
  }

  #onMachine(text: string): string {
    let result = text;
    for (const [name, port] of Object.entries(stores))
      result = result.replace(
        `@${name}:${port}`,
        `@127.0.0.1:${this.#stores.get(name as Store)?.port ?? port}`,
      );
    return result;
  }

  /** The shell's variables override those of `.env`. */
  #settings(environment: Call['environment']): Settings {
    const file = join(this.#folder, '.env');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    const own = lines.flatMap((line) => {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    });
    return { ...Object.fromEntries(own), ...environment };
  }
}

type Settings = Readonly<Record<string, string>>;

function interpolate(text: string, settings: Settings): string {
  return text.replace(
    /\$\$|\$\{(\w+)(?::([?-])([^}]*))?\}/g,
    (whole, name?: string, operator?: string, other?: string) => {
      if (whole === '$$') return '$';
      const value = settings[name ?? ''] ?? '';
      if (value === '' && operator === '?') throw new Error(`required variable ${name} is missing a value`);
      return value === '' ? (other ?? '') : value;
    },
  );
}

const WITH_VALUE = ['--profile', '-e', '--file'];
const FLAGS = ['--build', '--detach', '--wait', '--no-deps', '--rm', '-T'];

/** Options come before the service. Arguments after it belong to its program. */
function options(args: readonly string[]) {
  const given: [string, string][] = [];
  const rest: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const isOfProgram = rest.length >= 3 && ['run', 'exec'].includes(rest[1] ?? '');
    if (isOfProgram || !arg.startsWith('-')) rest.push(arg);
    else if (WITH_VALUE.includes(arg)) {
      at += 1;
      given.push([arg, args[at] ?? '']);
    } else if (FLAGS.includes(arg)) given.push([arg, '']);
    else throw new Error(`unknown flag: ${arg}`);
  }
  return {
    rest,
    flags: new Set(given.map(([name]) => name)),
    values: (name: string) => given.filter(([one]) => one === name).map(([, value]) => value),
  };
}
