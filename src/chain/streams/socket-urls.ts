/**
 * WebSocket addresses of the nodes. The default is the RPC addresses, because hosted nodes serve both
 * protocols at one address.
 */
export function socketUrls({
  solanaRpcUrls,
  solanaSocketUrls,
}: {
  solanaRpcUrls: readonly string[];
  solanaSocketUrls: readonly string[] | undefined;
}): readonly string[] {
  return solanaSocketUrls ?? solanaRpcUrls.map((url) => url.replace(/^http/i, 'ws'));
}
