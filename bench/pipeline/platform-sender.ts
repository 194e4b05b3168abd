import { Agent, request } from 'node:http';
import { resolveDestination } from '../../src/shared/webhooks/resolve.ts';
import { inLanes } from '../measurement/in-lanes.ts';
import { IN_FLIGHT, senderFigures, signedHeaders, startSender } from './bare-sender.ts';

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
  try {
    return await sendAll(origin, count, (url, index) => post(url, agents[index % ENDPOINTS]));
  } finally {
    for (const agent of agents) agent.destroy();
  }
}

/** The same with `fetch`, which keeps its connections by origin, not by endpoint. */
export function fetchSender(origin: string, count: number): Promise<Record<string, number>> {
  return sendAll(origin, count, async (url) => {
    const options = { method: 'POST', headers: signedHeaders(BODY), body: BODY, redirect: 'manual' } as const;
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(DEADLINE_MS) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`platform sender: ${url} returned ${response.status}`);
  });
}

async function sendAll(
  origin: string,
  count: number,
  send: (url: string, index: number) => Promise<void>,
): Promise<Record<string, number>> {
  const started = startSender();
  await inLanes(IN_FLIGHT, count, async (index) => {
    const url = `${origin}/${index % ENDPOINTS}`;
    const owner = { accountId: 'bench', endpointId: url };
    const destination = await resolveDestination(url, POLICY, async () => [], owner);
    if (destination.allowed !== true) throw new Error(`platform sender: ${url} is not allowed`);
    await send(destination.url.href, index);
  });
  return senderFigures(count, started);
}

async function post(url: string, agent: Agent | undefined): Promise<void> {
  const { hostname: host, port, pathname: path } = new URL(url);
  const headers = { ...signedHeaders(BODY), 'content-length': String(BODY.byteLength) };
  const signal = new AbortController();
  const timer = setTimeout(() => signal.abort(), DEADLINE_MS);
  const options = { host, port, path, method: 'POST', agent, headers };
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
