import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathOf } from '../../src/http/request-address.ts';
import { readPrivateJson, writePrivateJson } from '../shared/private-file.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import type { Cluster } from './start-cluster.ts';

/** What another terminal can ask of a running cluster. */
export const ACTIONS = ['kill', 'stop', 'start', 'restart', 'pause', 'resume'] as const;
export type Action = (typeof ACTIONS)[number];

/** Where the launcher takes orders: `control.json`, which only its user can read. */
interface ControlFile {
  readonly url: string;
  readonly token: string;
}

/** One server as `--status` shows it. */
export interface ServerStatus {
  readonly name: string;
  readonly state: string;
  readonly pid: number | null;
  readonly remark: string;
}

/**
 * Takes orders of other terminals on loopback until it is closed. Any program may connect, so an order has the token.
 */
export function serveControl(cluster: Cluster): () => Promise<void> {
  const token = randomBytes(24).toString('hex');
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // An order is answered when it is done. By default a connection that is silent for 10 s is closed.
    idleTimeout: 0,
    async fetch(request) {
      if (!isSame(request.headers.get('authorization') ?? '', `Bearer ${token}`))
        return new Response('the token of control.json is needed', { status: 401 });
      const [, action = '', name = ''] = pathOf(request).split('/');
      try {
        return Response.json(await order(cluster, action, name));
      } catch (error) {
        return new Response(error instanceof Error ? error.message : String(error), { status: 409 });
      }
    },
  });
  const file = fileOf(cluster.folder);
  writePrivateJson(file, { url: `http://127.0.0.1:${server.port}`, token } satisfies ControlFile);
  return async () => {
    rmSync(file, { force: true });
    await server.stop(true);
  };
}

async function order(cluster: Cluster, action: string, name: string): Promise<ServerStatus[]> {
  if (action === 'switchover') await cluster.switchOver();
  else if (isAction(action)) await cluster.server(name)[action]();
  return await statusOf(cluster, name);
}

/** The status of all servers, or of one. */
export async function statusOf(cluster: Cluster, name = ''): Promise<ServerStatus[]> {
  const wanted = name === '' ? cluster.servers : [cluster.server(name)];
  return await Promise.all(
    wanted.map(async (server) => ({
      name: server.name,
      state: server.state,
      pid: server.pid ?? null,
      remark: await cluster.remark(server),
    })),
  );
}

/** One line for each server. */
export function statusLines(servers: readonly ServerStatus[]): string[] {
  return servers.map(({ name, state, pid, remark }) =>
    `  ${name.padEnd(12)} ${state.padEnd(9)} ${String(pid ?? '').padStart(7)}  ${remark}`.trimEnd(),
  );
}

/** Gives an order to the cluster of the folder. Throws when none runs, or with its reason. */
export async function sendOrder(
  folder: SandboxFolder,
  action: Action | 'status' | 'switchover',
  name = '',
): Promise<ServerStatus[]> {
  const control = readPrivateJson<ControlFile>(fileOf(folder));
  if (control === undefined) throw new Error(`no cluster runs in ${folder.root}: npm run cluster starts it.`);
  const response = await fetch(`${control.url}/${action}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${control.token}` },
  }).catch(() => null);
  if (response === null) throw new Error(`the cluster in ${folder.root} does not answer: it has ended.`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as ServerStatus[];
}

function fileOf(folder: SandboxFolder): string {
  return join(folder.root, 'control.json');
}

function isAction(text: string): text is Action {
  return ACTIONS.some((action) => action === text);
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
