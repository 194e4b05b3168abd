import { urlDenialReasons } from './url-policy.ts';

/**
 * Reasons of a failed attempt, for the error codes that have several causes (contract/delivery#reasons).
 * Closed: the relay gives an attempt one of these or none, and the api returns it.
 */
export const attemptReasons = {
  network_error: [
    'connection_refused',
    'connection_timed_out',
    'host_unreachable',
    'connection_reset',
    'connection_closed',
    'response_malformed',
    'response_truncated',
    'response_headers_too_large',
    'too_many_interim_responses',
    'protocol_switched',
    'event_missing',
    'other',
  ],
  dns_error: ['no_address', 'look_up_timed_out', 'look_up_not_made'],
  tls_error: [
    'certificate_out_of_date',
    'certificate_for_other_name',
    'certificate_not_trusted',
    'handshake_failed',
  ],
  url_disallowed: [...urlDenialReasons, 'location_invalid'],
} as const;

export type CodeWithReasons = keyof typeof attemptReasons;
export type ReasonOf<Code extends CodeWithReasons> = (typeof attemptReasons)[Code][number];
export type AttemptReason = ReasonOf<CodeWithReasons>;
