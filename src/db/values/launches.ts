/** Launch status (contract/launches#status). */
export const launchStatuses = ['pending_launch_init', 'bonding', 'failed', 'expired'] as const;
