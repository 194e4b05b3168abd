/** One socket that is notified of confirmed signatures. Its end is a failure of everything that is waited for. */
export async function subscribeToLandings(rpcUrl: string) {
  const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'));
  const opened = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  const requested = new Map<number, PromiseWithResolvers<void>>();
  const subscribed = new Map<number, PromiseWithResolvers<void>>();
  let lastId = 0;
  socket.onclose = ({ code, reason }) => {
    const error = new Error(`the socket of landings closed: ${code} ${reason}`);
    opened.reject(error);
    for (const landing of [...requested.values(), ...subscribed.values()]) landing.reject(error);
  };
  socket.onmessage = ({ data }) => {
    const { id, result, error, method, params } = JSON.parse(String(data));
    const asked = requested.get(id);
    if (asked !== undefined) {
      requested.delete(id);
      if (error === undefined) subscribed.set(result, asked);
      else asked.reject(new Error(`the subscription was refused: ${JSON.stringify(error)}`));
    }
    if (method !== 'signatureNotification') return;
    const waiting = subscribed.get(params.subscription);
    subscribed.delete(params.subscription);
    const { err } = params.result.value;
    if (err === null) waiting?.resolve();
    else waiting?.reject(new Error(`the trade failed: ${JSON.stringify(err)}`));
  };
  await opened.promise;
  return {
    of(signature: string): Promise<void> {
      lastId += 1;
      const landing = Promise.withResolvers<void>();
      requested.set(lastId, landing);
      const params = [signature, { commitment: 'confirmed' }];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'signatureSubscribe', params }));
      return landing.promise;
    },
    close() {
      socket.onclose = null;
      socket.close();
    },
  };
}
