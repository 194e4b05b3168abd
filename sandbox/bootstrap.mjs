// Makes a fresh machine ready (the pinned Bun, the locked dependencies), then runs a TypeScript file with Bun:
//   node sandbox/bootstrap.mjs [entry.ts [args]]
// Plain Node 20 without dependencies: it runs before anything is installed. Without an entry it only installs.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const binFolder = join(root, 'node_modules', '.bin');
const toolchain = join(root, '.sandbox', 'toolchain');
const stampFile = join(root, 'node_modules', '.launchwire-installed');
const lockFile = join(root, '.sandbox', 'bootstrap.lock');
const LOCK_WAIT_MS = 300_000;

/** They need no package of the tests, benchmarks and checks (`.config/package.json`): half of all bytes. */
const LIGHT_ENTRIES = ['sandbox/start.ts', 'sandbox/cluster.ts', 'packages/client/src/cli/main.ts'];

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pinned = manifest.devDependencies.bun;

/** An error that is reported by its message alone. */
class SetupError extends Error {}

const [entry, ...args] = process.argv.slice(2);
const isLight = LIGHT_ENTRIES.some((path) => entry === path || entry === join(root, path));

try {
  await prepare();
  if (entry !== undefined) await run(entry, args);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\nlaunchwire: ${error.message}`);
  process.exitCode = 1;
}

async function prepare() {
  if (isReady()) return;
  const release = await lock();
  try {
    // Another bootstrap may have installed everything while this one waited.
    if (isReady()) return;
    const npm = npmSettings();
    const bun = bunPath() ?? installBun(npm);
    if (!dependenciesAreCurrent()) installDependencies(bun, npm);
    if (!isReady())
      throw new SetupError('the installation is incomplete: delete node_modules and run it again.');
  } finally {
    release();
  }
}

function isReady() {
  return bunPath() === join(binFolder, 'bun') && dependenciesAreCurrent();
}

/** A Bun of exactly the pinned version: the project's own before the cached one. */
function bunPath() {
  const own = join(binFolder, 'bun');
  if (isPinned(own)) return own;
  const name = findBunPackage()?.name;
  const cached = name && join(toolchain, 'node_modules', name, 'bin', 'bun');
  return cached && isPinned(cached) ? cached : undefined;
}

function isPinned(path) {
  return existsSync(path) && output(path, ['--version']) === pinned;
}

/** After a complete installation everything runs; after a light one the light entries do. */
function dependenciesAreCurrent() {
  const stamp = readOrEmpty(stampFile);
  return stamp === fingerprint() || (isLight && stamp === stampOfLight());
}

function stampOfLight() {
  return `${fingerprint()} light`;
}

function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  const patches = Object.values(manifest.patchedDependencies);
  for (const name of ['package.json', '.config/package.json', 'bun.lock', ...patches])
    hash.update(readFileSync(join(root, name)));
  return hash.digest('hex');
}

/** Bun's package for this machine, with the hash that bun.lock has for it; undefined when there is none. */
function findBunPackage() {
  const locked = readFileSync(join(root, 'bun.lock'), 'utf8').matchAll(
    /"(@oven\/bun-[\w-]+)": \["@oven\/bun-[\w-]+@([^"]+)", "", (\{[^}]*\}), "(sha512-[^"]+)"\]/g,
  );
  for (const [, name, version, facts, integrity] of locked) {
    const { os, cpu, libc = libcOfMachine() } = JSON.parse(facts);
    if (version === pinned && os === process.platform && cpu === process.arch && libc === libcOfMachine())
      return { name, integrity };
  }
  return undefined;
}

function libcOfMachine() {
  if (process.platform !== 'linux') return undefined;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** npm compares what it downloads with the hash. No install script runs: that of `bun` may download without one. */
function installBun(npm) {
  const startedAt = performance.now();
  const bunPackage = findBunPackage();
  if (bunPackage === undefined)
    throw new SetupError(`there is no Bun ${pinned} for ${process.platform} on ${process.arch}.`);
  const { name, integrity } = bunPackage;
  const dependencies = { [name]: pinned };
  const packages = { '': { dependencies }, [`node_modules/${name}`]: { version: pinned, integrity } };
  mkdirSync(toolchain, { recursive: true });
  writeFileSync(join(toolchain, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(
    join(toolchain, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  );
  const args = ['ci', '--prefix', toolchain, '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = spawnNpm([...args, '--loglevel=error'], npm.env);
  const bun = bunPath();
  if (bun === undefined) {
    throw new SetupError(
      `Bun ${pinned} could not be installed from the npm registry; check the network and npm's settings.\n${firstLines(result.stderr)}`,
    );
  }
  done(`installed Bun ${pinned}`, startedAt);
  return bun;
}

function installDependencies(bun, npm) {
  const startedAt = performance.now();
  const lockfile = join(root, 'bun.lock');
  const before = readFileSync(lockfile);
  const scope = isLight ? ['--filter', './'] : [];
  const result = spawnSync(bun, ['install', '--frozen-lockfile', ...scope], {
    cwd: root,
    env: npm.env,
    encoding: 'utf8',
  });
  if (!readFileSync(lockfile).equals(before)) {
    writeFileSync(lockfile, before);
    throw new SetupError(
      'bun install changed bun.lock although it is frozen; it was put back. Run `bun install` by hand.',
    );
  }
  if (result.status !== 0) {
    throw new SetupError(
      'the dependencies could not be installed; check the network, and that bun.lock fits package.json ' +
        `(\`bun install\` updates it).\n${firstLines(result.stdout + result.stderr)}`,
    );
  }
  if (bunPath() !== join(binFolder, 'bun')) runInstallScripts(npm.env);
  writeFileSync(stampFile, isLight ? stampOfLight() : fingerprint());
  done(isLight ? 'installed dependencies' : 'installed all dependencies', startedAt);
}

/** Bun, too, obeys npm's `ignore-scripts`. These are the scripts of package.json's trustedDependencies, which only put
 * files of the packages in place. */
function runInstallScripts(env) {
  for (const name of manifest.trustedDependencies) {
    const folder = join(root, 'node_modules', name);
    const script = ['install.js', 'scripts/hydrate-symlinks.js'].find((path) =>
      existsSync(join(folder, path)),
    );
    if (script !== undefined) spawnSync(process.execPath, [script], { cwd: folder, env, stdio: 'ignore' });
  }
}

/** Bun reads neither npm's global configuration nor its cafile: registry, CA and proxy are passed as variables. */
function npmSettings() {
  // Bun needs HOME for its cache; npm does not.
  const env = { ...process.env, HOME: process.env.HOME ?? homedir() };
  const listing = spawnNpm(['config', 'list', '--json'], env);
  if (listing.status !== 0)
    throw new SetupError(`npm is needed and does not run: ${listing.stderr || listing.error}`);
  const config = JSON.parse(listing.stdout);
  env.NPM_CONFIG_REGISTRY ??= config.registry;
  env.BUN_CONFIG_REGISTRY ??= config.registry;
  if (config.cafile) env.NODE_EXTRA_CA_CERTS ??= config.cafile;
  if (config['https-proxy']) env.HTTPS_PROXY ??= config['https-proxy'];
  return { env };
}

/** Runs the npm that started us, else the one on PATH. */
function spawnNpm(args, env) {
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && /npm-cli\.[cm]?js$/.test(npm);
  const [command, before] = isNpm ? [process.execPath, [npm]] : ['npm', []];
  return spawnSync(command, [...before, ...args], { cwd: root, env, encoding: 'utf8' });
}

/** One bootstrap at a time installs in this folder. The lock file names its holder's pid and start time; the lock of a
 * process that is gone is stale. */
async function lock() {
  mkdirSync(dirname(lockFile), { recursive: true });
  const ownFile = `${lockFile}.${process.pid}`;
  writeFileSync(ownFile, `${process.pid} ${startOf(process.pid)}`);
  const deadline = performance.now() + LOCK_WAIT_MS;
  try {
    while (!linkExclusively(ownFile, lockFile)) {
      const holder = readOrEmpty(lockFile);
      const [pid, start] = holder.split(' ');
      if (holder !== '' && startOf(pid) !== start) removeStale(holder);
      else if (performance.now() > deadline) {
        throw new SetupError(
          `another start (pid ${pid}) is still installing: stop it, or delete ${lockFile}.`,
        );
      } else await delay(100);
    }
  } finally {
    rmSync(ownFile, { force: true });
  }
  return () => rmSync(lockFile, { force: true });
}

/** Removes the stale lock by renaming it, which only one of several waiting processes can do. A new lock that was renamed
 * by mistake is restored. */
function removeStale(holder) {
  const aside = `${lockFile}.stale.${process.pid}`;
  try {
    renameSync(lockFile, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (readFileSync(aside, 'utf8') !== holder) linkExclusively(aside, lockFile);
  rmSync(aside, { force: true });
}

/** Creates the lock with its content in one step. */
function linkExclusively(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Start time of a process, empty when it is gone: the pid alone may have been reused. */
function startOf(pid) {
  if (process.platform !== 'linux')
    return output('ps', ['-o', 'lstart=', '-p', String(pid)]).replaceAll(' ', '');
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // Field 22; the name before it may contain spaces and parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function output(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : '';
}

/** The lines that name the cause; npm adds a stack and advice. */
function firstLines(text) {
  return text.split('\n').slice(0, 6).join('\n');
}

function done(step, startedAt) {
  console.error(`${step} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

/** Runs the entry and exits with its code. Each signal is forwarded once: after a Ctrl-C the terminal has sent it to the
 * child as well, and a third copy from here would look like a second request. */
async function run(entry, args) {
  const child = spawn(join(binFolder, 'bun'), [entry, ...args], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${binFolder}${delimiter}${process.env.PATH ?? ''}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    let isForwarded = false;
    process.on(signal, () => {
      if (!isForwarded) child.kill(signal);
      isForwarded = true;
    });
  }
  const watch = endWithParent(child);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('exit', (...outcome) => resolve(outcome));
    child.once('error', reject);
  });
  clearInterval(watch);
  process.exit(code ?? 128 + constants.signals[signal]);
}

/** Stops the child when npm's shell has ended: a SIGTERM to npm ends only that shell, and a SIGKILL not even that. Without
 * npm a parent may leave this process running on purpose (nohup). */
function endWithParent(child) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250);
  return watch;
}
