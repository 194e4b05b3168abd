import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './command.ts';
import { findExecutable, isExecutable } from './executable.ts';
import { elapsed, type Log } from './log.ts';

/** Unpacked packages, one folder each. */
const FOLDER = join(import.meta.dir, '..', '..', '.sandbox', 'toolchain', 'debian');
/** This file lets apt skip the packages that are already installed. */
const INSTALLED = '/var/lib/dpkg/status';
const SYSTEM_LISTS = '/var/lib/apt/lists';

/**
 * Downloads Debian packages with the dependencies that are not installed and unpacks them below `.sandbox`, as any user.
 * Returns the path of a script that runs `executable` there; undefined where that is impossible (not
 * Debian, no such package, no network). The first package gives the folder its name.
 */
export async function unpackDebianPackages(
  packages: readonly [string, ...string[]],
  executable: string,
  log: Log,
  { folder = FOLDER, systemLists = SYSTEM_LISTS }: { folder?: string; systemLists?: string } = {},
): Promise<string | undefined> {
  const [name] = packages;
  const script = join(folder, name, 'bin', executable);
  if (isExecutable(script)) return script;
  const aptGet = findExecutable('apt-get');
  const dpkgDeb = findExecutable('dpkg-deb');
  if (aptGet === undefined || dpkgDeb === undefined || !existsSync(INSTALLED)) return undefined;
  const startedAt = performance.now();
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, `.${name}-`));
  try {
    const archives = await download(aptGet, packages, work, systemLists);
    const target = join(work, 'package');
    const isUnpacked = archives.length > 0 && (await unpack(dpkgDeb, archives, join(target, 'root')));
    if (!isUnpacked || !writeScript(target, executable)) {
      log(`could not download and unpack the Debian package ${name} (${elapsed(startedAt)})`);
      return undefined;
    }
    moveTo(join(folder, name), target);
    log(`downloaded and unpacked the Debian package ${name} (${elapsed(startedAt)})`);
    return script;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Archives of the packages; none when they are not available. */
async function download(
  aptGet: string,
  packages: readonly string[],
  work: string,
  systemLists: string,
): Promise<string[]> {
  const [state, cache] = [join(work, 'state'), join(work, 'cache')];
  for (const path of [join(state, 'lists', 'partial'), join(cache, 'archives', 'partial')])
    mkdirSync(path, { recursive: true });
  const settings = {
    'Dir::State': state,
    'Dir::State::status': INSTALLED,
    'Dir::Cache': cache,
    // The locks belong to root; this writes only to its own folders.
    'Debug::NoLocking': '1',
  };
  const run = async (lists: string, ...args: string[]) => {
    const all = { ...settings, 'Dir::State::lists': lists };
    const options = Object.entries(all).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return (await runCommand(aptGet, ['-qq', ...options, ...args], { env })).succeeded;
  };
  const fetch = [
    '--yes',
    '--no-install-recommends',
    '--reinstall',
    '--download-only',
    'install',
    ...packages,
  ];
  // apt-get succeeds when a package is installed but in no list, although it reports that the package is not
  // available.
  const fetchBy = async (lists: string) =>
    (await run(lists, ...fetch)) ? globSync(join(cache, 'archives', '*.deb')) : [];
  const archives = await fetchBy(systemLists);
  if (archives.length > 0) return archives;
  // A fresh container has no package lists, and old lists name archives that no longer exist.
  const own = join(state, 'lists');
  return (await run(own, 'update')) ? fetchBy(own) : [];
}

async function unpack(dpkgDeb: string, archives: readonly string[], root: string): Promise<boolean> {
  mkdirSync(root, { recursive: true });
  for (const archive of archives) {
    if (!(await runCommand(dpkgDeb, ['--extract', archive, root])).succeeded) return false;
  }
  return true;
}

/** Writes a script that runs the executable with the unpacked libraries. False when the packages do not hold it. */
function writeScript(target: string, executable: string): boolean {
  const root = join(target, 'root');
  // Some programs have their own folder, and their file in `bin` is a script with paths of the system.
  const binary = [
    `usr/lib/${executable}/${executable}`,
    `usr/bin/${executable}`,
    `usr/sbin/${executable}`,
  ].find((path) => isExecutable(join(root, path)));
  if (binary === undefined) return false;
  const libraries = new Set(
    globSync('{lib,usr/lib}/{*-linux-gnu*,*-linux-gnu*/*,*}/*.so*', { cwd: root }).map((path) =>
      dirname(path),
    ),
  );
  const paths = [...libraries].map((path) => `$root/${path}`).join(':');
  const lines = [
    '#!/bin/sh',
    'root=$(cd "$(dirname "$0")/../root" && pwd)',
    ...(paths === '' ? [] : [`export LD_LIBRARY_PATH="${paths}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`]),
    // Without any configuration a browser finds no fonts.
    '[ -d /etc/fonts ] || export FONTCONFIG_SYSROOT="$root"',
    `exec "$root/${binary}" "$@"`,
  ];
  const script = join(target, 'bin', executable);
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, `${lines.join('\n')}\n`);
  chmodSync(script, 0o755);
  return true;
}

/** Another process may have unpacked the same package: the first result stays, it may be in use. */
function moveTo(target: string, from: string): void {
  try {
    renameSync(from, target);
  } catch (error) {
    if (readdirSync(target).length === 0) throw error;
  }
}
