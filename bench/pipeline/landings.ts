/** One socket that is notified of confirmed signatures. */
export async function subscribeToLandings(rpcUrl: string) {
  const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'));
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const requested = new Map<number, PromiseWithResolvers<void>>();
  const subscribed = new Map<number, PromiseWithResolvers<void>>();
  let lastId = 0;
  socket.onmessage = ({ data }) => {
    const { id, result, method, params } = JSON.parse(String(data));
    const asked = requested.get(id);
    if (asked !== undefined) {
      requested.delete(id);
      subscribed.set(result, asked);
    }
    if (method !== 'signatureNotification') return;
    const waiting = subscribed.get(params.subscription);
    subscribed.delete(params.subscription);
    const { err } = params.result.value;
    if (err === null) waiting?.resolve();
    else waiting?.reject(new Error(`the trade failed: ${JSON.stringify(err)}`));
  };
  return {
    of(signature: string): Promise<void> {
      lastId += 1;
      const landing = Promise.withResolvers<void>();
      requested.set(lastId, landing);
      const params = [signature, { commitment: 'confirmed' }];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'signatureSubscribe', params }));
      return landing.promise;
    },
    close: () => socket.close(),
  };
}
