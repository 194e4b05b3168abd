import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresAccount, postgresAccount } from '../services/postgres-account.ts';
import { createLocation, readLocation } from '../services/postgres-location.ts';

/** A folder in which a server works that refuses to run as root. */
export interface AccountFolder {
  readonly path: string;
  /** Undefined where we are not root. */
  readonly user: PostgresAccount | undefined;
  /** Writes a file that only the account may read. Returns its path. */
  write(name: string, content: string): string;
}

/** The folder of a server, made at the first call: below `dir` where the account can work there. */
export function accountFolder(dir: string): AccountFolder {
  const user = postgresAccount();
  const known = readLocation(dir);
  const { clusterDir: path } =
    known !== undefined && existsSync(known.clusterDir) ? known : createLocation(dir, user);
  return {
    path,
    user,
    write(name, content) {
      const file = join(path, name);
      writeFileSync(file, content, { mode: 0o600 });
      if (user !== undefined) chownSync(file, user.uid, user.gid);
      return file;
    },
  };
}
