/** Programs of pools; `other` pools are never read. */
export const poolPrograms = ['dbc', 'damm_v2', 'damm_v1', 'other'] as const;

/** Why a pool is not read (contract/ingest#unusable-pools). */
export const unusablePoolReasons = [
  'other_program',
  'mint_differs',
  'quote_is_not_sol',
  'stable_pool',
  'unreadable',
] as const;
