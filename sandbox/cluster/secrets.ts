import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readPrivateJson, writePrivateJson } from '../shared/private-file.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';

/** Passwords inside the cluster, the same after a restart. */
export interface ClusterSecrets {
  readonly superuser: string;
  readonly replication: string;
  readonly rewind: string;
}

export function clusterSecrets(folder: SandboxFolder): ClusterSecrets {
  const file = join(folder.root, 'cluster-secrets.json');
  const known = readPrivateJson<ClusterSecrets>(file);
  if (known !== undefined) return known;
  const [superuser, replication, rewind] = [password(), password(), password()];
  const made = { superuser, replication, rewind };
  writePrivateJson(file, made);
  return made;
}

function password(): string {
  return randomBytes(24).toString('hex');
}
