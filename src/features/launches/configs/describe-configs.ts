import type { CurveConfigReading, KnownCurveConfig } from '../../../chain/pools/curve/config-source.ts';
import type { RentSource } from '../../../chain/rent-source.ts';
import { publicCost } from './costs.ts';
import { faultOf, type LaunchConfigs } from './launch-configs.ts';
import type { LaunchConfigList, LaunchConfigRecord, LaunchTerms } from './schema.ts';
import { launchTerms } from './terms.ts';

export interface DescriptionDependencies {
  launchConfigs: LaunchConfigs;
  readRent: RentSource;
  publicUrl: string;
}

/** Describes every config of the operator. One that cannot be read is named all the same. */
export async function describeConfigs({
  launchConfigs,
  readRent,
  publicUrl,
}: DescriptionDependencies): Promise<LaunchConfigList> {
  if (launchConfigs.length === 0) return { data: [] };
  // At the same time, because each of them may wait for nodes that hang.
  const [rentOf, readings] = await Promise.all([
    readRent(),
    Promise.all(launchConfigs.map(async (config) => ({ config, reading: await config.read() }))),
  ]);
  const data = readings.map(({ config: { name, address }, reading }, at) => ({
    name,
    address,
    isDefault: at === 0,
    ...described(reading, (known) => rentOf && publicCost(known, publicUrl, rentOf)),
  }));
  return { data };
}

function described(
  reading: CurveConfigReading,
  costOf: (known: KnownCurveConfig) => LaunchConfigRecord['cost'],
): Omit<LaunchConfigRecord, 'name' | 'address' | 'isDefault'> {
  const unavailableReason = faultOf(reading);
  if (unavailableReason !== null || typeof reading === 'string')
    return { status: 'unavailable', unavailableReason, terms: null, cost: null };
  return { status: 'available', unavailableReason, terms: termsOf(reading), cost: costOf(reading) };
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
