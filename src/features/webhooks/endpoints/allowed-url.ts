import { Problem } from '../../../shared/problem.ts';
import type { Destination, Unresolved } from '../../../shared/webhooks/resolve.ts';
import type { UrlDenial } from '../../../shared/webhooks/url-policy.ts';

/** What the URL policy says of a requested URL and what its host resolves to right now (contract/url-policy#addresses). */
export type CheckedDestination = Destination | Unresolved | UrlDenial;

/**
 * The URL to store, in canonical form. A name that does not resolve is accepted: it is judged again at every
 * attempt. Throws `webhook_url_disallowed` with the reason.
 */
export function allowedUrl(destination: CheckedDestination): string {
  switch (destination.allowed) {
    case true:
      return destination.url.href;
    case 'unresolved':
      if (destination.denial !== null) throw disallowed(destination.denial);
      return destination.target.url.href;
    case false:
      throw disallowed(destination);
  }
}

function disallowed({ detail, reason }: UrlDenial): Problem {
  return new Problem('webhook_url_disallowed', {
    detail: `The URL policy refuses this destination: ${detail}.`,
    context: { reason },
  });
}
