import type { MethodTable } from './json-rpc.ts';
import { RPC_CODE, RpcError } from './rpc-errors.ts';

const LOOPBACK = /^(localhost|[^.]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const CONTROLS = 'sandbox_';

/**
 * Whether a request comes from a program or a page of this machine. A page of another site has its `Origin`; one that has
 * pointed a name of its own at 127.0.0.1 also has that name in `Host`.
 */
export function isOfOwnMachine(headers: Headers): boolean {
  const origin = headers.get('origin');
  return isLoopback(`http://${headers.get('host')}`) && (origin === null || isLoopback(origin));
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

/** The same methods, without those that only a sandbox has. */
export function withoutControls(methods: MethodTable): MethodTable {
  return new Map(
    [...methods].map(([name, method]) => [name, name.startsWith(CONTROLS) ? refuseControl : method]),
  );
}

function refuseControl(): never {
  throw new RpcError(
    RPC_CODE.invalidRequest,
    `${CONTROLS}* methods are for programs and pages of this machine: Host and Origin must be loopback.`,
  );
}
