import { ConnectionPool } from '../../relay/attempt/connection-pool.ts';
import { send } from '../../relay/attempt/send.ts';
import { Signer } from '../../relay/attempt/sign.ts';
import { DnsResolver } from '../../src/shared/dns/resolver.ts';
import { WebhookSigningKeys } from '../../src/shared/webhooks/signing-keys.ts';
import { inLanes } from '../measurement/in-lanes.ts';
import { type ProcessCpu, processCpu } from '../measurement/process-cpu.ts';

export const IN_FLIGHT = 64;
/** The relay's default. */
const PER_ENDPOINT = 8;
const ENDPOINTS = 100;
const DEADLINE_MS = 10_000;
const BODY = new Uint8Array(500).fill(97);
const KEY = new Uint8Array(32).fill(1);
const signer = new Signer(
  new WebhookSigningKeys({ secretKey: KEY, secretKeyPrevious: [] }, new Date('9999-01-01')),
);

export interface BareOptions {
  /** Number of endpoints; 100 by default. */
  endpoints?: number;
  /** Connections that are used and left open; by default the sender has its own. */
  connections?: ConnectionPool;
}

/** Headers of a request, signed now, as those to an endpoint. */
export function signedHeaders(body: Uint8Array, endpointId = 'bench'): Record<string, string> {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const signed = signer.headers({ id: 'bench', endpointId, timestampSeconds, body }, [KEY]);
  return { 'content-type': 'application/json', ...signed };
}

/** Connections with the limits of the relay. */
export function createConnections(): ConnectionPool {
  return new ConnectionPool(PER_ENDPOINT, undefined);
}

/** The relay's HTTP client and signatures in a loop, without queue, database or log: the cost of sending alone. */
export async function bareSender(
  origin: string,
  count: number,
  { endpoints = ENDPOINTS, ...given }: BareOptions = {},
): Promise<Record<string, number>> {
  const connections = given.connections ?? createConnections();
  const sender = {
    connections,
    policy: { allowHttp: true, allowedCidrs: ['127.0.0.0/8'] },
    resolve: new DnsResolver({ servers: [] }).resolve,
    deadlineMs: DEADLINE_MS,
  };
  const sendTo = async (index: number) => {
    const endpoint = index % endpoints;
    const to = { accountId: 'bench', endpointId: `bench-${endpoint}`, url: `${origin}/${endpoint}` };
    const message = { ...to, headers: signedHeaders(BODY, to.endpointId), body: BODY };
    const { outcome } = await send(sender, message);
    if (outcome.kind === 'failed') throw new Error(`bare sender: ${outcome.detail}`);
  };
  const started = startSender();
  try {
    await inLanes(IN_FLIGHT, count, sendTo);
  } finally {
    if (given.connections === undefined) connections.close();
  }
  return senderFigures(count, started);
}

interface SenderStart {
  atMs: number;
  cpu: ProcessCpu;
}

/** Begins to measure a sender in this process. */
export function startSender(): SenderStart {
  return { atMs: performance.now(), cpu: processCpu(process.pid) };
}

/** Figures of a sender in this process. */
export function senderFigures(count: number, { atMs, cpu }: SenderStart): Record<string, number> {
  const { allMs, mainMs } = processCpu(process.pid);
  const cpuMicroseconds = ((allMs - cpu.allMs) * 1000) / count;
  return {
    deliveriesPerSecond: (count * 1000) / (performance.now() - atMs),
    deliveriesPerSecondPerCore: 1e6 / cpuMicroseconds,
    cpuMicroseconds,
    mainThreadCpuMicroseconds: ((mainMs - cpu.mainMs) * 1000) / count,
  };
}
