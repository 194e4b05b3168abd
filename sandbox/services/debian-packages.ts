import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { runCommand } from './command.ts';
import { findExecutable } from './executable.ts';
import { elapsed, type Log } from './log.ts';

const POLICY_FILE = '/usr/sbin/policy-rc.d';

/** One installation at a time: apt holds locks, and the policy file is one. */
let lastInstallation: Promise<unknown> = Promise.resolve();

/** Installs a Debian package and returns the path of `executable`; undefined where that is impossible (not root,
 * not Debian, no such package, no network). Never starts the package's system service. */
export async function installDebianPackage(
  packageName: string,
  executable: string,
  log: Log,
): Promise<string | undefined> {
  const aptGet = findExecutable('apt-get');
  if (process.getuid?.() !== 0 || aptGet === undefined || !existsSync('/etc/debian_version'))
    return undefined;
  const installation = lastInstallation
    .then(() => install(aptGet, packageName, log))
    .catch((error: Error) => log(`could not install the Debian package ${packageName}: ${error.message}`));
  lastInstallation = installation;
  await installation;
  return findExecutable(executable);
}

async function install(aptGet: string, packageName: string, log: Log): Promise<void> {
  const startedAt = performance.now();
  const args = ['install', '--yes', '--no-install-recommends', packageName];
  const installed = await withoutServices(async () => {
    if (await run(aptGet, args)) return true;
    // A fresh container has no package lists.
    return (await run(aptGet, ['update'])) && (await run(aptGet, args));
  });
  const what = installed ? 'installed the Debian package' : 'could not install the Debian package';
  log(`${what} ${packageName} (${elapsed(startedAt)})`);
}

async function run(aptGet: string, args: readonly string[]): Promise<boolean> {
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`;
  const env = { ...process.env, PATH: path, DEBIAN_FRONTEND: 'noninteractive' };
  const { succeeded } = await runCommand(aptGet, ['-o', 'DPkg::Lock::Timeout=120', '-qq', ...args], { env });
  return succeeded;
}

/** Debian runs policy-rc.d before it starts a service. Ours denies only while this process lives, so that a
 * file that a kill leaves blocks nothing. */
async function withoutServices<T>(work: () => Promise<T>): Promise<T> {
  if (existsSync(POLICY_FILE)) return await work();
  writeFileSync(POLICY_FILE, `#!/bin/sh\nif [ -d /proc/${process.pid} ]; then exit 101; fi\nexit 0\n`);
  chmodSync(POLICY_FILE, 0o755);
  try {
    return await work();
  } finally {
    rmSync(POLICY_FILE, { force: true });
  }
}
