/** Every path of the contract lies below this one (contract/versioning#major-version). */
export const API_PREFIX = '/api/v2';
/** Every path of the internal API lies below this one (contract/internal-api#listener). */
export const INTERNAL_PREFIX = '/internal/v1';
