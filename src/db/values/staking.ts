export const stakingPoolStatuses = ['active', 'paused', 'closed'] as const;
