import { ConnectionPool } from '../../../relay/attempt/connection-pool.ts';
import { type Sender, send } from '../../../relay/attempt/send.ts';
import type { SendOutcome } from '../../../relay/model/outcome.ts';
import { atEnd } from '../run/cleanup.ts';
import { testAuthority } from './webhook-certificates.ts';

const connections = new ConnectionPool(8, [testAuthority]);
atEnd(async () => connections.close());

/** The request of `post`. */
export const BODY = Buffer.from('{"hello":"world"}');
const loopback: Sender = {
  connections,
  policy: { allowHttp: true, allowedCidrs: ['127.0.0.0/8'] },
  resolve: async () => ['127.0.0.1'],
  deadlineMs: 60_000,
};
let endpoints = 0;

/** Makes one attempt with a sender that may reach loopback. By default each call uses a new endpoint. */
export function post(url: string, sender: Partial<Sender> = {}, endpointId = `endpoint-${endpoints++}`) {
  const headers = { 'content-type': 'application/cloudevents+json', 'webhook-id': 'id' };
  return send({ ...loopback, ...sender }, { accountId: 'account', endpointId, url, headers, body: BODY });
}

/** A status, or the error code. */
export async function codeOf(result: Promise<{ outcome: SendOutcome }>): Promise<number | string> {
  const { outcome } = await result;
  return outcome.kind === 'responded' ? outcome.status : outcome.code;
}
