import { type ChainAccount, fieldsOf } from './account-data.ts';
import { FEATURE_PROGRAM } from './programs.ts';

/**
 * - `absent`: no account of the feature program, so nobody has asked for the feature.
 * - `scheduled`: it becomes active with the next epoch.
 * - `active`: since the slot.
 */
export type FeatureState =
  | { state: 'absent' | 'scheduled'; activeSince: null }
  | { state: 'active'; activeSince: bigint };

/** Layout of the feature program: an optional u64, one byte for whether it is there. */
const SCHEDULED = 0;
const ACTIVE = 1;
const ACTIVE_BYTES = 9;

/**
 * The state of a feature of the cluster. Anybody can send lamports to the address, so an account of another program
 * means nothing; neither does data that the runtime could not read.
 */
export function readFeature(account: ChainAccount | null): FeatureState {
  const absent = { state: 'absent', activeSince: null } as const;
  if (account === null || account.owner !== FEATURE_PROGRAM || account.data.byteLength === 0) return absent;
  const fields = fieldsOf(account.data);
  const tag = fields.u8(0);
  if (tag === SCHEDULED) return { state: 'scheduled', activeSince: null };
  if (tag !== ACTIVE || account.data.byteLength < ACTIVE_BYTES) return absent;
  return { state: 'active', activeSince: fields.u64(1) };
}
