import type { RentOf } from '../../../chain/accounts/sysvars.ts';
import type { KnownCurveConfig } from '../../../chain/pools/curve/config-source.ts';
import { shownCost } from './costs.ts';
import { faultOf, type LaunchConfig, type LaunchConfigs } from './launch-configs.ts';
import type { LaunchConfigList, LaunchConfigRecord, LaunchTerms } from './schema.ts';
import { launchTerms } from './terms.ts';

export interface DescriptionDependencies {
  launchConfigs: LaunchConfigs;
  /** Null when no node shows the rent. */
  readRent: () => Promise<RentOf | null>;
  publicUrl: string;
}

/** Describes every config of the operator. One that cannot be read is named all the same. */
export async function describeConfigs(dependencies: DescriptionDependencies): Promise<LaunchConfigList> {
  const { launchConfigs, publicUrl } = dependencies;
  if (launchConfigs.length === 0) return { data: [] };
  const rentOf = await dependencies.readRent();
  return {
    data: await Promise.all(
      launchConfigs.map((config, at) => describe(config, at === 0, { rentOf, publicUrl })),
    ),
  };
}

async function describe(
  { name, address, read }: LaunchConfig,
  isDefault: boolean,
  { rentOf, publicUrl }: { rentOf: RentOf | null; publicUrl: string },
): Promise<LaunchConfigRecord> {
  const reading = await read();
  const unavailableReason = faultOf(reading);
  if (unavailableReason !== null || typeof reading === 'string')
    return { name, address, isDefault, status: 'unavailable', unavailableReason, terms: null, cost: null };
  return {
    name,
    address,
    isDefault,
    status: 'available',
    unavailableReason,
    terms: termsOf(reading),
    cost: rentOf && shownCost(reading, publicUrl, rentOf),
  };
}

/** An option that a newer program has added is not guessed at. */
function termsOf(known: KnownCurveConfig): LaunchTerms | null {
  try {
    return launchTerms(known);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
