import { type RunningChild, startChild } from '../../../sandbox/services/child-process.ts';
import { freePort } from '../../../sandbox/services/free-port.ts';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { commandOf } from '../processes/compiled-programs.ts';
import { STOP_TIMEOUT_MS } from '../processes/service-processes.ts';
import { atEnd } from '../run/cleanup.ts';
import { sharedNatsUrl } from '../servers/services.ts';

export interface ApiProcess {
  baseUrl: string;
  child: RunningChild;
}

const API = 'src/api/main.ts';

/**
 * The api as a process of its own, on a free port unless the environment names one.
 * @param root the sources; by default those of this release
 */
export async function startApiProcess(
  databaseUrl: string,
  environment: Record<string, string> = {},
  root: string = PROJECT_ROOT,
): Promise<ApiProcess> {
  const port = environment.PORT ?? (await freePort());
  const child = await startChild({
    name: 'api',
    // Another release runs from its sources.
    command: root === PROJECT_ROOT ? await commandOf(API) : process.execPath,
    args: [API],
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      NATS_URL: await sharedNatsUrl(),
      SOLANA_RPC_URL: 'http://127.0.0.1:9',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      LOG_LEVEL: 'error',
      ...environment,
    },
    ready: () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  atEnd(async () => {
    await child.stop();
  });
  return { baseUrl: `http://127.0.0.1:${port}/api/v2`, child };
}
