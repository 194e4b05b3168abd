export const launchTypes = ['dbc', 'pre_raise'] as const;

/** Token status (contract/tokens#status). */
export const tokenStatuses = [
  'pending',
  'pending_launch_init',
  'pending_escrows',
  'pending_finalization',
  'bonding',
  'pre_raise_pending',
  'pre_raising',
  'pre_raise_settling',
  'pre_raise_refunding',
  'pre_raise_failed',
  'graduating_migration_pending',
  'graduated',
  'graduation_failed',
  'expired',
  'cancelled',
  'failed',
] as const;

/** Progress of a bonding curve on the chain (contract/tokens#chain-facts). */
export const curveStages = ['trading', 'completed', 'migrated'] as const;
