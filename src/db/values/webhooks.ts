export const endpointStatuses = ['enabled', 'disabled'] as const;

export const disabledReasons = ['manual', 'gone', 'failing'] as const;

/** Delivery status (contract/delivery#transitions). */
export const deliveryStatuses = ['pending', 'processing', 'succeeded', 'retrying', 'dead_letter'] as const;
