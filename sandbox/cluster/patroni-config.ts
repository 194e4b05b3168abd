import type { ClusterSecrets } from './secrets.ts';

/** Seconds. One loop with two retries is shorter than the lease (`ttl`), so a slow loop does not lose it. */
export const LEASE = { ttl: 8, loop_wait: 1, retry_timeout: 3 } as const;

export interface PatroniMember {
  readonly name: string;
  readonly home: string;
  readonly binDir: string;
  /** Where it listens, and where the other member reaches it. */
  readonly postgres: { readonly listen: number; readonly reached: number };
  readonly api: { readonly listen: number; readonly reached: number };
  /** Where it reaches etcd. */
  readonly etcdPort: number;
}

const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off' };

/**
 * The configuration of one member (JSON is YAML). `synchronous_mode` makes the standby synchronous and promotes only a
 * standby that has every acknowledged commit; while there is none, commits wait for the primary alone.
 */
export function patroniConfig(member: PatroniMember, secrets: ClusterSecrets, durable: boolean): object {
  const { name, home, binDir, postgres, api, etcdPort } = member;
  return {
    scope: 'launchwire',
    name,
    restapi: { listen: `127.0.0.1:${api.listen}`, connect_address: `127.0.0.1:${api.reached}` },
    // Patroni otherwise connects to the address that etcd announces, which bypasses the proxy before it.
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ...LEASE,
        synchronous_mode: true,
        // Without etcd the primary goes on while it reaches every member.
        failsafe_mode: true,
        // A primary that crashed is not waited for while a synchronous standby can take over.
        primary_start_timeout: 0,
        master_start_timeout: 0,
        maximum_lag_on_failover: 1_048_576,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: sharedParameters(durable) },
      },
      initdb: [{ encoding: 'UTF8' }, 'no-locale', 'data-checksums', ...(durable ? [] : ['no-sync'])],
    },
    postgresql: {
      listen: `127.0.0.1:${postgres.listen}`,
      connect_address: `127.0.0.1:${postgres.reached}`,
      data_dir: dataDirOf(home),
      bin_dir: binDir,
      pgpass: `${home}/pgpass`,
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      basebackup: [{ checkpoint: 'fast' }],
      authentication: {
        superuser: { username: 'postgres', password: secrets.superuser },
        replication: { username: 'replicator', password: secrets.replication },
        rewind: { username: 'rewinder', password: secrets.rewind },
      },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: '' },
    },
  };
}

export function dataDirOf(home: string): string {
  return `${home}/data`;
}

function sharedParameters(durable: boolean): Record<string, string | number> {
  return {
    max_connections: 200,
    synchronous_commit: 'on',
    // A silent standby delays commits for this time, and a standby notices a silent primary after it.
    wal_sender_timeout: '10s',
    wal_receiver_timeout: '10s',
    checkpoint_timeout: '15min',
    ...(durable ? {} : NOT_DURABLE),
  };
}
