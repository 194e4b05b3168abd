// Finds records of this deployment, which replace the examples in a form: no record has their ids.
const TOKENS_MAX = 12;
const RECORDS_MAX = 10;
const ORDERS_MAX = 100;

/**
 * Yields values for the path parameters of a request, best first: objects of values by parameter name.
 *
 * @param read reads a path below the API as JSON; undefined when it is refused
 */
export async function* candidatesOf(path, names, read) {
  const list = async (from) => (await read(from))?.data ?? [];
  const ids = async (from) => (await list(from)).slice(0, RECORDS_MAX).map(({ id }) => id);
  const tokens = async () => {
    const traded = await list(`/tokens?status=bonding&limit=${TOKENS_MAX}`);
    const some = traded.length > 0 ? traded : await list(`/tokens?limit=${TOKENS_MAX}`);
    return some.map(({ mintAddress }) => mintAddress);
  };
  const ownTokens = async () => {
    const own = (await read('/me'))?.walletAddress;
    const created =
      own === undefined ? [] : await list(`/tokens?creatorWallet=${own}&status=bonding&limit=1`);
    return created.map(({ mintAddress }) => mintAddress);
  };
  const wallets = async () => {
    const own = (await read('/me'))?.walletAddress;
    const creators = await list(`/tokens?limit=${TOKENS_MAX}`);
    return [...(own ? [own] : []), ...creators.map(({ creatorWallet }) => creatorWallet)];
  };
  async function* rounds() {
    for (const mint of await tokens()) {
      for (const roundId of await ids(`/tokens/${mint}/prediction-rounds?limit=${RECORDS_MAX}`))
        yield { mint, roundId };
    }
  }
  async function* deliveries() {
    for (const endpointId of await ids('/webhook-endpoints')) {
      yield* await ids(`/webhook-endpoints/${endpointId}/deliveries?limit=${RECORDS_MAX}`);
    }
  }
  const finders = {
    mint: path.endsWith('/creator-transfers') ? ownTokens : tokens,
    address: wallets,
    intentId: () => ids('/transaction-intents'),
    operationId: () => ids('/operations'),
    orderId: () => ids('/orders'),
    endpointId: () => ids('/webhook-endpoints'),
    eventId: () => ids('/events'),
    deliveryId: deliveries,
    predictionId: () => ids('/predictions'),
    keyId: () => ids('/keys'),
    launchId: () => ids('/launches'),
    slotId: () => ids('/order-slots'),
    name: async () => (await list('/launch-configs')).map(({ name }) => name),
    id: () => ids(`/${path.split('/')[1]}`),
  };
  if (names.includes('roundId')) {
    yield* rounds();
    return;
  }
  const [name] = names;
  for await (const value of (await finders[name]?.()) ?? []) yield { [name]: value };
}

/** Fields of an example body that name a record or a time, with values of this deployment. */
export async function liveBody(body, read) {
  const live = { ...body };
  if ('since' in body) live.since = anHourAgo();
  if ('walletAddress' in body) live.walletAddress = (await read('/me'))?.walletAddress ?? body.walletAddress;
  if ('roundId' in body) live.roundId = (await openRound(read)) ?? body.roundId;
  if ('slotId' in body) live.slotId = (await freeSlot(read)) ?? body.slotId;
  if ('mint' in body) live.mint = (await tradedToken(read)) ?? body.mint;
  // The sandbox sends webhooks only to its own machine; deliveries wait until a receiver listens.
  const isOwnMachine = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  if ('url' in body && isOwnMachine) live.url = 'http://127.0.0.1:4100/webhooks';
  return live;
}

async function openRound(read) {
  for (const { mintAddress } of (await read(`/tokens?status=bonding&limit=${TOKENS_MAX}`))?.data ?? []) {
    const rounds = (await read(`/tokens/${mintAddress}/prediction-rounds?limit=${RECORDS_MAX}`))?.data ?? [];
    const open = rounds.find(({ status }) => status === 'open');
    if (open !== undefined) return open.id;
  }
  return undefined;
}

/** A slot that holds no order. */
async function freeSlot(read) {
  const orders = (await read(`/orders?limit=${ORDERS_MAX}`))?.data ?? [];
  const used = orders.filter(({ completedAt }) => completedAt === null).map(({ slotId }) => slotId);
  const slots = (await read(`/order-slots?limit=${ORDERS_MAX}`))?.data ?? [];
  return slots.find(({ id, status }) => status === 'ready' && !used.includes(id))?.id;
}

async function tradedToken(read) {
  return (await read('/tokens?status=bonding&limit=1'))?.data[0]?.mintAddress;
}

export const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
