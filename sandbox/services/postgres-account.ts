import { spawnSync } from 'node:child_process';
import { findExecutable } from './executable.ts';

/** The account that owns the cluster and runs the server. */
export interface PostgresAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const CREATED_NAME = 'launchwire';

/** The unprivileged account for Postgres when we are root, which Postgres refuses: `postgres` when it exists, else
 * an account of our own, else `nobody`. Undefined when we are not root and run it as ourselves. */
export function postgresAccount(): PostgresAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = lookUp('postgres') ?? lookUp(CREATED_NAME) ?? createAccount() ?? lookUp('nobody');
  if (account === undefined) {
    throw new Error(
      'Postgres refuses to run as root and there is no other account: create a user called postgres.',
    );
  }
  return account;
}

function lookUp(name: string): PostgresAccount | undefined {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
  if (uid.status !== 0 || gid.status !== 0) return undefined;
  return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function createAccount(): PostgresAccount | undefined {
  const useradd = findExecutable('useradd');
  if (useradd === undefined) return undefined;
  spawnSync(useradd, ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', CREATED_NAME]);
  return lookUp(CREATED_NAME);
}

/** Whether the account can enter and write `folder`. The system checks it, with modes and ACLs. */
export function canWriteIn(folder: string, account: PostgresAccount): boolean {
  const asAccount = { uid: account.uid, gid: account.gid, cwd: '/' };
  return spawnSync('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder], asAccount).status === 0;
}
