import type { AttemptReason, CodeWithReasons, ReasonOf } from '../../shared/webhooks/attempt-reasons.ts';
import { urlReasons } from './url-reasons.ts';

/** `reason` of a failed webhook attempt, by its `errorCode` (contract/delivery#reasons). */
const reasons: { [Code in CodeWithReasons]: Readonly<Record<ReasonOf<Code>, string>> } = {
  network_error: {
    connection_refused: 'Nothing listens on the port.',
    connection_timed_out: 'The connection was not established in time.',
    host_unreachable: 'No route leads to the address.',
    connection_reset: 'The connection was reset before a response.',
    connection_closed: 'The connection was closed before a response.',
    response_malformed: 'What came is no response of HTTP/1.1, up to the line with the final status.',
    response_truncated: 'The connection ended before the line with the final status was complete.',
    response_headers_too_large:
      'The line with the status, or the headers of interim responses (1xx), are larger than 16 KiB.',
    too_many_interim_responses: 'More than 32 interim responses (1xx) came before the final one.',
    protocol_switched: 'The response was 101: the destination wanted another protocol.',
    event_missing: 'No request was sent: the event is missing in the database of the service.',
    other: 'The connection failed in another way.',
  },
  dns_error: {
    no_address: 'The name has no address.',
    look_up_timed_out: 'No name server answered in time.',
    look_up_not_made: 'Too many look-ups were waiting, so the name was not looked up.',
  },
  tls_error: {
    certificate_out_of_date: 'The certificate has expired, or is not valid yet.',
    certificate_for_other_name: 'The certificate is for another name.',
    certificate_not_trusted:
      'No public authority signed the certificate: it is self-signed, or its intermediates are not sent.',
    handshake_failed: 'There was no TLS handshake, e.g. because the port speaks plain HTTP.',
  },
  url_disallowed: {
    ...urlReasons,
    location_invalid:
      'The `Location` of a redirect is not a URL, or not in UTF-8. The hop is the one that sent it.',
  },
};

/** Meanings of the reasons of a code; null where it has none. */
export function reasonsOf(code: string): Readonly<Partial<Record<AttemptReason, string>>> | null {
  return code in reasons ? reasons[code as CodeWithReasons] : null;
}
