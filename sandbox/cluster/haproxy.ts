import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probe } from '../processes/readiness.ts';
import { stages } from '../processes/supervisor.ts';
import { responds } from '../services/tcp-probe.ts';
import { type ClusterContext, namesOf } from './context.ts';
import { haproxyConfig } from './haproxy-config.ts';
import { startServer } from './server-child.ts';

export const HAPROXY = 'haproxy';

/** Starts the load balancer of the apis and of Postgres. Ready when it listens. */
export async function startHaproxy({
  supervisor,
  folder,
  executables,
  links,
}: ClusterContext): Promise<void> {
  const port = await links.portOf(HAPROXY, 'api');
  const config = haproxyConfig({
    api: port,
    primary: await links.portOf(HAPROXY, 'primary'),
    standby: await links.portOf(HAPROXY, 'standby'),
    apis: await Promise.all(
      namesOf('api').map(async (name) => ({ name, port: await links.portFor(HAPROXY, name, 'api') })),
    ),
    databases: await Promise.all(
      namesOf('postgres').map(async (name) => ({
        name,
        port: await links.portFor(HAPROXY, name, 'postgres'),
        patroniPort: await links.portFor(HAPROXY, name, 'patroni'),
      })),
    ),
  });
  const file = join(folder.root, 'haproxy.cfg');
  writeFileSync(file, config, { mode: 0o600 });
  await supervisor.start(HAPROXY, stages.servers, () =>
    startServer(folder, {
      name: HAPROXY,
      command: executables.haproxy,
      args: ['-db', '-f', file],
      ready: probe(() => responds(port, 'GET /healthz HTTP/1.0\r\n\r\n', /^HTTP\/1\.[01] /)),
    }),
  );
}
