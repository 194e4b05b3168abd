import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type BenchCase, type CaseOptions, ratio } from '../cases/case.ts';
import { type BenchEnvironment, type BenchServer, createBenchEnvironment } from '../cases/environment.ts';
import { storeToken } from '../http/stored-token.ts';
import { closedLoop, type LoadOptions } from '../load/closed-loop.ts';
import { wireRequest } from '../load/wire-request.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { until } from '../measurement/until.ts';

const PROCESSES_MAX = 8;
/** Spread over the processes by the kernel's hash of their addresses, so several for each. */
const CONNECTIONS = 64;
const READY_MS = 20_000;
const WARM_UP_MS = 200;
/** Requests of the shortest round: enough for a tick of CPU time in each of two processes. */
const SHORTEST_REQUESTS = 3_000;

/**
 * Throughput of cached reads by number of api processes (`API_WORKERS`) on one port. The load generator needs a core of
 * its own: on a machine of two there is little to gain.
 */
export const apiProcessScale: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const mint = await storeToken(environment.database);
    const most = options.shortest ? 2 : Math.min(PROCESSES_MAX, Math.max(2, cpus().length));
    const counts = [1, 2, 4, PROCESSES_MAX].filter((count) => count <= most);
    const variants: Variant[] = [];
    for (const count of counts) variants.push(await startProcesses(environment, count, mint, options));
    const figures = await alternate(variants, options.rounds);
    const ratios = counts
      .slice(1)
      .map((count) => [
        `throughput, ${count} / 1 process`,
        ratio(figures, variantName(count), variantName(1), 'requestsPerSecond'),
      ]);
    return {
      name: `getToken, cached, closed loop of ${CONNECTIONS}, by number of api processes`,
      figures,
      ratios: Object.fromEntries(ratios),
    };
  } finally {
    await environment.close();
  }
};

const variantName = (count: number) => (count === 1 ? '1 process' : `${count} processes`);

async function startProcesses(
  environment: BenchEnvironment,
  count: number,
  mint: string,
  { roundMs, shortest = false }: CaseOptions,
): Promise<Variant> {
  const server = await environment.startApi({ API_WORKERS: String(count) });
  const pids = await untilAllServe(server, count);
  const request = wireRequest('GET', `/api/v2/tokens/${mint}`, {
    accept: 'application/json',
    'user-agent': 'bench',
  });
  const load = (length: Pick<LoadOptions, 'durationMs' | 'requests'>) =>
    closedLoop({
      port: server.port,
      connections: CONNECTIONS,
      expectedStatus: 200,
      nextRequest: () => request,
      ...length,
    });
  const round = () => load(shortest ? { requests: SHORTEST_REQUESTS } : { durationMs: roundMs });
  if (!shortest) await load({ durationMs: WARM_UP_MS });
  return {
    name: variantName(count),
    async run() {
      const before = pids.map(processCpuMs);
      const { responses, durationMs } = await round();
      const usedMs = pids.map((pid, at) => processCpuMs(pid) - (before[at] ?? 0));
      if (Math.min(...usedMs) === 0) throw new Error(`one of ${count} processes served nothing: ${usedMs}`);
      const cpuMs = usedMs.reduce((sum, used) => sum + used, 0);
      return {
        requestsPerSecond: (responses * 1000) / durationMs,
        cpuMicrosecondsPerRequest: (cpuMs * 1000) / responses,
      };
    },
  };
}

/** The processes that serve: the children of the supervisor, or the process itself when it is alone. */
async function untilAllServe({ pid, port }: BenchServer, count: number): Promise<number[]> {
  await until(`${count} processes listen`, () => listeners(port) >= count, { withinMs: READY_MS });
  if (count === 1) return [pid];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  if (children.length !== count) throw new Error(`${children.length} api processes instead of ${count}`);
  return children;
}

const LISTENING = '0A';

/** Sockets that listen on a port of this machine; each process that shares the port has its own. */
function listeners(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTENING).length;
}
