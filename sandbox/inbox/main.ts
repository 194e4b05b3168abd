// The webhook inbox of a sandbox, a process of its own:
//   LAUNCHWIRE_BASE_URL=… LAUNCHWIRE_API_KEY=… bun sandbox/inbox/main.ts --port <n> --file <inbox.json> [--sandbox <folder>]
// Prints one JSON line when its endpoint is registered: {"ready":true,"endpointId":…}, or with `problem` when it was refused.
// Later lines ask the launcher for something: `api-process.ts`.
import { parseArgs } from 'node:util';
import { onStopSignal } from '../../src/shared/process.ts';
import { openIdentity } from '../demo/identity.ts';
import { sandboxFolder } from '../shared/sandbox-folder.ts';
import { SandboxApi } from './api-process.ts';
import { DemoWallet } from './demo-wallet.ts';
import { RegistrationError, registerEndpoint } from './endpoint-registration.ts';
import { ReceivedDeliveries } from './received-deliveries.ts';
import { serveInbox } from './server.ts';

const { values } = parseArgs({
  options: { port: { type: 'string' }, file: { type: 'string' }, sandbox: { type: 'string' } },
});
const { LAUNCHWIRE_BASE_URL: baseUrl, LAUNCHWIRE_API_KEY: apiKey } = process.env;
if (values.port === undefined || values.file === undefined || !baseUrl || !apiKey) {
  console.error('--port, --file, LAUNCHWIRE_BASE_URL and LAUNCHWIRE_API_KEY are needed');
  process.exit(2);
}

const signal = onStopSignal();
const folder = values.sandbox === undefined ? undefined : sandboxFolder(values.sandbox);
const secret = Promise.withResolvers<string>();
const deliveries = new ReceivedDeliveries();
const server = serveInbox({
  port: Number(values.port),
  deliveries,
  secret: secret.promise,
  api: { baseUrl, apiKey },
  // The launcher has saved the wallet before.
  wallet: folder && new DemoWallet(openIdentity(folder.identityFile).wallet.secretKey),
  apiProcess: folder && new SandboxApi(folder.stateFile),
});
signal.addEventListener('abort', () => void server.stop(true).then(() => process.exit(0)));

const url = `http://127.0.0.1:${server.port}/webhooks`;
try {
  const endpoint = await registerEndpoint({ file: values.file, url, baseUrl, apiKey, signal });
  secret.resolve(endpoint.secret);
  console.log(JSON.stringify({ ready: true, endpointId: endpoint.endpointId }));
} catch (error) {
  if (!signal.aborted) {
    if (!(error instanceof RegistrationError)) throw error;
    console.log(JSON.stringify({ ready: true, problem: error.message }));
  }
}
