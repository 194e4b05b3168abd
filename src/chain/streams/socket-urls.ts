/** WebSocket addresses of the nodes: the configured ones, or, since hosted nodes serve both protocols at one address, those of the RPC. */
export function socketUrls({
  solanaRpcUrls,
  solanaSocketUrls,
}: {
  solanaRpcUrls: readonly string[];
  solanaSocketUrls: readonly string[] | undefined;
}): readonly string[] {
  return solanaSocketUrls ?? solanaRpcUrls.map((url) => url.replace(/^http/i, 'ws'));
}
