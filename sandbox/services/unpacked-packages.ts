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
const PYTHON = 'usr/bin/python3';
const PYTHON_MODULES = 'usr/lib/python3/dist-packages';
const SYSTEM_LISTS = '/var/lib/apt/lists';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Downloads Debian packages with the dependencies that are not installed and unpacks them below `.sandbox`, as any user.
 * Returns the path of a script that runs `executable` there; undefined where that is impossible (not
 * Debian, no such package, no network). The first package gives the folder its name.
 *
 * With `release`, another release of Debian such as `testing`: the packages alone, so their libraries have to fit.
 */
export async function unpackDebianPackages(
  packages: readonly [string, ...string[]],
  executable: string,
  log: Log,
  {
    folder = FOLDER,
    systemLists = SYSTEM_LISTS,
    release,
  }: { folder?: string; systemLists?: string; release?: string } = {},
): Promise<string | undefined> {
  const name = release === undefined ? packages[0] : `${packages[0]}-${release}`;
  const script = join(folder, name, 'bin', executable);
  if (isExecutable(script)) return script;
  const aptGet = findExecutable('apt-get');
  const dpkgDeb = findExecutable('dpkg-deb');
  if (aptGet === undefined || dpkgDeb === undefined || !existsSync(INSTALLED)) return undefined;
  const startedAt = performance.now();
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, `.${name}-`));
  try {
    const archives =
      release === undefined
        ? await download(aptGet, packages, work, systemLists)
        : await downloadOf(release, aptGet, packages, work);
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

/** Archives of another release, from the mirror of this one; none when they are not available. */
async function downloadOf(
  release: string,
  aptGet: string,
  packages: readonly string[],
  work: string,
): Promise<string[]> {
  // It prints what it would fetch, and needs no lists.
  const { output } = await runCommand(aptGet, ['--print-uris', 'update']);
  const mirror = /'(\S+\/debian\/)dists\//.exec(output)?.[1];
  if (mirror === undefined) return [];
  const [lists, archives] = [join(work, 'lists'), join(work, 'archives')];
  for (const path of [join(lists, 'partial'), archives]) mkdirSync(path, { recursive: true });
  const sources = join(work, 'sources.list');
  writeFileSync(sources, `deb [signed-by=${KEYRING}] ${mirror} ${release} main\n`);
  const settings = {
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': lists,
    'Dir::Cache': work,
    'Acquire::Languages': 'none',
    'Debug::NoLocking': '1',
  };
  const options = Object.entries(settings).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
  const run = async (...args: string[]) =>
    (await runCommand(aptGet, ['-qq', ...options, ...args], { cwd: archives })).succeeded;
  const isThere = (await run('update')) && (await run('download', ...packages));
  return isThere ? globSync(join(archives, '*.deb')) : [];
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
    ...(existsSync(join(root, PYTHON_MODULES)) ? [`export PYTHONPATH="$root/${PYTHON_MODULES}"`] : []),
    // The script of a Python program names the interpreter of the system, which may have come with it instead.
    ...(isExecutable(join(root, PYTHON)) ? ['export PYTHONHOME="$root/usr"'] : []),
    `exec ${isExecutable(join(root, PYTHON)) ? `"$root/${PYTHON}" ` : ''}"$root/${binary}" "$@"`,
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
