import { WRAPPED_SOL_MINT } from '../../../chain/accounts/programs.ts';
import type { CurveConfigReading, KnownCurveConfig } from '../../../chain/pools/curve/config-source.ts';
import type { NamedConfigAddress } from '../../../shared/launch-config-name.ts';
import { Problem } from '../../../shared/problem.ts';

/** A config that the operator offers for launches. */
export interface LaunchConfig extends NamedConfigAddress {
  read(): Promise<CurveConfigReading>;
}

/** The first one is the default. Without one, launches are not possible. */
export type LaunchConfigs = readonly LaunchConfig[];

/** @param name null for the default */
export function chooseConfig(configs: LaunchConfigs, name: string | null): LaunchConfig | Problem {
  const [first] = configs;
  if (first === undefined) return new Problem('launches_unavailable');
  if (name === null) return first;
  const named = configs.find((config) => config.name === name);
  return named ?? new Problem('launch_config_not_found', { context: { config: name } });
}

/** Why tokens cannot be launched under a config. */
export const configFaults = ['chain_unavailable', 'not_a_config', 'not_in_sol'] as const;
export type ConfigFault = (typeof configFaults)[number];

/** Launches pay in SOL: under another quote mint the SOL of the wallet would buy nothing. */
export function faultOf(reading: CurveConfigReading): ConfigFault | null {
  if (reading === 'unreachable') return 'chain_unavailable';
  if (reading === 'absent') return 'not_a_config';
  return reading.quoteMint === WRAPPED_SOL_MINT ? null : 'not_in_sol';
}

export async function readConfig({ name, read }: LaunchConfig): Promise<KnownCurveConfig | Problem> {
  const reading = await read();
  const fault = faultOf(reading);
  if (fault === 'chain_unavailable') {
    const cause = new Error(`the curve config ${name} could not be read`);
    return new Problem('chain_unavailable', { cause });
  }
  if (fault !== null || typeof reading === 'string') {
    const cause = new Error(`the account of launch config ${name} is no curve config that is quoted in SOL`);
    return new Problem('launches_unavailable', { cause });
  }
  return reading;
}
