import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { createCurveConfigSource } from '../../chain/pools/curve/config-source.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { NamedConfigAddress } from '../../shared/launch-config-name.ts';
import { type Finding, failed, ok, skipped } from './finding.ts';

/** Checks that each account of LAUNCH_CURVE_CONFIGS is a config of the curve that is quoted in SOL. */
export async function checkLaunchConfigs(
  rpcs: readonly ChainRpc[],
  configs: readonly NamedConfigAddress[],
): Promise<Finding[]> {
  if (configs.length === 0)
    return [skipped('launch configs', 'needs LAUNCH_CURVE_CONFIGS: no token can be launched')];
  if (rpcs.length === 0) return [skipped('launch configs', 'needs SOLANA_RPC_URL')];
  return Promise.all(configs.map((config, at) => check(rpcs, config, at === 0)));
}

async function check(
  rpcs: readonly ChainRpc[],
  { name, address }: NamedConfigAddress,
  isDefault: boolean,
): Promise<Finding> {
  const title = `launch config ${name}`;
  const reading = await createCurveConfigSource(rpcs, address)();
  if (reading === 'unreachable') return failed(title, 'no node responds');
  if (reading === 'absent') return failed(title, `${address} is no config of the bonding curve`);
  if (reading.quoteMint !== WRAPPED_SOL_MINT)
    return failed(title, `${address} is not quoted in SOL but in ${reading.quoteMint}`);
  return ok(title, isDefault ? `${address}, the default` : address);
}
