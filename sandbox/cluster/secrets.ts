import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readPrivateJson, writePrivateJson } from '../shared/private-file.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';

/** Passwords inside the cluster, the same after a restart. */
export interface ClusterSecrets {
  readonly superuser: string;
  readonly replication: string;
  readonly rewind: string;
  /** Password with which the apis log in at the pooler. */
  readonly api: string;
  /** Password with which `doctor` reads the limits of the pooler. */
  readonly poolerStats: string;
}

export function clusterSecrets(folder: SandboxFolder): ClusterSecrets {
  const file = join(folder.root, 'cluster-secrets.json');
  const known = readPrivateJson<Partial<ClusterSecrets>>(file);
  const secrets = {
    superuser: password(),
    replication: password(),
    rewind: password(),
    api: password(),
    poolerStats: password(),
    ...known,
  };
  writePrivateJson(file, secrets);
  return secrets;
}

function password(): string {
  return randomBytes(24).toString('hex');
}
