/** A path outside the contract, and what answers it. */
export interface OperationalResponder {
  path: string;
  /** Null: for this client there is no such path. */
  respond(
    request: Request,
    peerAddress: () => string,
    /** Parameters of the path, by name. */
    params: Record<string, string>,
  ): Response | null | Promise<Response>;
}
