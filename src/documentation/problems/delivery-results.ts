import type { ResultExplanation } from './intent-results.ts';

/**
 * `lastErrorCode` of a webhook delivery (contract/delivery#result-codes): the reason why the last attempt, or
 * the delivery, failed.
 */
export const deliveryResults = {
  request_timeout: {
    meaning:
      'The attempt took longer than 10 seconds, from the look-up of the name to the last byte of the response, redirects included. `responseStatus` of the attempt is the status that had arrived, if one had.',
    action: 'Respond with 2xx as soon as the event is stored, and do the work afterwards.',
  },
  network_error: {
    meaning:
      'The destination could not be reached, or the connection broke: refused, reset, unreachable, no status of HTTP/1.1. `reason` of the attempt names the cause.',
    action: 'Check that the server listens on the public address and that a firewall lets the service in.',
  },
  dns_error: {
    meaning: 'The host name did not resolve.',
    action: 'Check the name and its DNS records from outside your network.',
  },
  tls_error: {
    meaning:
      'No trusted TLS connection was established: certificate expired, for another name, self-signed, or without its intermediates.',
    action: 'Serve the full certificate chain of a public authority for the host of the URL.',
  },
  url_disallowed: {
    meaning:
      'The URL policy refused the destination or a redirect at the time of the attempt, e.g. because the name now resolves to a private address.',
    action: 'Point the name to public addresses only, and redirect only to public HTTPS URLs.',
  },
  signing_failed: {
    meaning:
      'The service could not sign the request, so it sent nothing. The fault is in the service, which alerts its operator at once.',
    action:
      'No action: the delivery waits, and is tried at least every half hour until it can be signed. It uses no attempt of the schedule and does not count against the endpoint.',
  },
  redirect_limit_exceeded: {
    meaning: 'The destination redirected more than three times.',
    action: 'Register the final URL.',
  },
  'http_<status>': {
    meaning:
      'The destination responded with a status other than 2xx, e.g. `http_500`. `http_410` ends the delivery and disables the endpoint; 429 and 503 with `Retry-After` pause the whole endpoint for that long.',
    action:
      'Respond with 2xx to every event you have received, even if you ignore it. A 303 counts as a failure: redirect with 307 or 308.',
  },
  endpoint_disabled: {
    meaning:
      'The endpoint was disabled while the delivery was open: by hand, by a 410, or after five days of failures.',
    action: 'Enable the endpoint, then replay the deliveries that ended this way.',
  },
  endpoint_deleted: {
    meaning: 'The endpoint was deleted while the delivery was open.',
    action: 'No action: a deleted endpoint gets no more events. Its past deliveries stay readable.',
  },
} as const satisfies Record<string, ResultExplanation>;

export type DeliveryResultCode = keyof typeof deliveryResults;
