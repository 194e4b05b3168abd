/** A name that an operator gives a curve config: it is a part of paths (contract/launches#configs). */
export const LAUNCH_CONFIG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
export const LAUNCH_CONFIG_NAME = LAUNCH_CONFIG_PATTERN.source;

/** The name of the only config of `LAUNCH_CURVE_CONFIG`. */
export const SINGLE_LAUNCH_CONFIG_NAME = 'standard';

/** A config account of the bonding curve with its name. */
export interface NamedConfigAddress {
  name: string;
  address: string;
}
