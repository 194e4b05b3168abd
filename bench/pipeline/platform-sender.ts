import { Agent, request } from 'node:http';
import { resolveDestination } from '../../src/shared/webhooks/resolve.ts';
import { inLanes } from '../measurement/in-lanes.ts';
import { IN_FLIGHT, senderFigures, signedHeaders } from './bare-sender.ts';

const ENDPOINTS = 100;
const BODY = new Uint8Array(500).fill(97);
const DEADLINE_MS = 10_000;
const POLICY = { allowHttp: true, allowedCidrs: ['127.0.0.0/8'] };

/**
 * As the bare sender, with the HTTP client of the platform in place of the relay's: node:http with an agent for each of
 * 100 endpoints, as the relay had it. The peer does not change when the relay's client does.
 */
export async function platformSender(origin: string, count: number): Promise<Record<string, number>> {
  const agents = Array.from({ length: ENDPOINTS }, () => new Agent({ keepAlive: true }));
  const cpuBefore = process.cpuUsage();
  const startedAtMs = performance.now();
  try {
    await inLanes(IN_FLIGHT, count, async (index) => {
      const agent = agents[index % ENDPOINTS];
      if (agent !== undefined) await send(`${origin}/${index % ENDPOINTS}`, agent);
    });
  } finally {
    for (const agent of agents) agent.destroy();
  }
  return senderFigures(count, startedAtMs, cpuBefore);
}

async function send(url: string, agent: Agent): Promise<void> {
  const owner = { accountId: 'bench', endpointId: url };
  const destination = await resolveDestination(url, POLICY, async () => [], owner);
  if (destination.allowed !== true) throw new Error(`platform sender: ${url} is not allowed`);
  const { hostname: host, port } = destination;
  const headers = { ...signedHeaders(BODY), 'content-length': String(BODY.byteLength) };
  const signal = new AbortController();
  const timer = setTimeout(() => signal.abort(), DEADLINE_MS);
  const options = { host, port, path: destination.url.pathname, method: 'POST', agent, headers };
  try {
    await new Promise<void>((resolve, reject) => {
      const sent = request({ ...options, signal: signal.signal }, (response) => {
        response.on('data', () => {});
        response.on('error', reject);
        response.on('end', resolve);
      });
      sent.on('error', reject);
      sent.end(BODY);
    });
  } finally {
    clearTimeout(timer);
  }
}
