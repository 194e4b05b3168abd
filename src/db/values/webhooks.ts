export const endpointStatuses = ['enabled', 'disabled'] as const;

/** A `contact` receives events about the other endpoints of its account (contract/webhooks#contact). */
export const endpointPurposes = ['subscription', 'contact'] as const;

export const disabledReasons = ['manual', 'gone', 'failing'] as const;

/** Delivery status (contract/delivery#transitions). */
export const deliveryStatuses = ['pending', 'processing', 'succeeded', 'retrying', 'dead_letter'] as const;
