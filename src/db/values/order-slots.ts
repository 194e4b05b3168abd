/** Status of an order slot (contract/orders#slot-status). */
export const orderSlotStatuses = ['pending', 'ready', 'closed', 'failed', 'expired'] as const;
