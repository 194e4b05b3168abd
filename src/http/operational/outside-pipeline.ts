import { endUnreadBody } from '../bodies/request-body.ts';
import { openExchange } from '../exchange.ts';
import { type PeerLookup, RequestContext } from '../request-context.ts';
import { headerTemplates } from '../responses/response-headers.ts';
import { type ProblemDependencies, problemResponse } from '../responses/responses.ts';

/** Responds to a request of a path outside the contract. */
export type OutsideResponder = (
  request: Request,
  peerOf: PeerLookup,
  params: Record<string, string>,
) => Response | Promise<Response>;

/**
 * Makes the handlers of paths outside the contract. A failure there is a defect: it is logged, and the
 * response is 500 `internal_error`, while the framework would respond with the text of the error.
 *
 * @param mark runs last, with each response
 */
export function createOutsideHandlers(
  dependencies: ProblemDependencies,
  mark: (response: Response) => Response,
): (respond: OutsideResponder) => (...request: Parameters<OutsideResponder>) => Promise<Response> {
  const templates = headerTemplates(undefined);
  const failed = (error: unknown, request: Request, peerOf: PeerLookup) => {
    const context = new RequestContext(request, peerOf, dependencies.tracing);
    return problemResponse(error, openExchange(context, undefined, templates), dependencies);
  };
  return (respond) => async (request, peerOf, params) => {
    let response: Response;
    try {
      response = await respond(request, peerOf, params);
    } catch (error) {
      response = failed(error, request, peerOf);
    }
    return mark(endUnreadBody(request, response));
  };
}

/** A path outside the contract with its responder. */
export interface OperationalResponder {
  path: string;
  /** Returns null when this client may not see the path. */
  respond(
    request: Request,
    peerOf: PeerLookup,
    /** Path parameters by name. */
    params: Record<string, string>,
  ): Response | null | Promise<Response>;
}
