import { TradeSchema } from '../../features/market/schema.ts';
import { CreatorChangeSchema, LaunchedTokenSchema, TokenSchema } from '../../features/tokens/schema.ts';
import { eventType } from '../../shared/events/catalogue.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import { type DocumentedEvent, LATER } from './documented-event.ts';

const { getToken: token, createCreatorTransfer: transfer } = recorded;
const created = recorded.listEvents.data.find(({ type }) => type === eventType('launch.created'));
const [trade] = recorded.listTokenTrades.data;

const tokenRecord = {
  schema: TokenSchema,
  data: 'The token as `getToken` returns it, at the moment of the event.',
  subject: token.mintAddress,
};
const tradeRecord = {
  schema: TradeSchema,
  data: 'The trade as `listTokenTrades` lists it. It was stored at commitment `confirmed`.',
};

export const tokenEvents = {
  'launch.created': {
    schema: LaunchedTokenSchema,
    meaning: 'A token has become visible: it can be read through the API, quoted and bought.',
    data: `${tokenRecord.data} \`pool\` is its bonding curve in the slot that it names: address, reserves in raw units, and the price of a whole token; null while no node shows the curve.`,
    reaction:
      'Quote and swap it, or start following it: market snapshot, trades and candles exist from now on.',
    subject: token.mintAddress,
    example: { ...created?.body.data },
  },
  'launch.graduated': {
    ...tokenRecord,
    meaning: 'A token has left its bonding curve: its liquidity now sits in a regular pool.',
    reaction: 'Trade against the new pool; the curve is closed.',
    example: { ...token, status: 'graduated', solCollectedInSol: '85', graduatedAt: LATER },
  },
  'launch.failed': {
    ...tokenRecord,
    meaning: 'A launch has ended without a tradable token.',
    data: `${tokenRecord.data} Its \`status\` names its end.`,
    reaction: 'Stop following it. Depositors of a pre-raise get their deposits back.',
    example: { ...token, status: 'failed', currentPriceInSol: null, marketCapInSol: null, launchedAt: null },
  },
  'token.curve_completed': {
    ...tokenRecord,
    meaning: 'The bonding curve of a token is sold out: its liquidity is about to move to a regular pool.',
    reaction: 'Stop trading against the curve, and wait for `launch.graduated`.',
    example: { ...token, status: 'graduating_migration_pending', solCollectedInSol: '85' },
  },
  'token.creator_changed': {
    schema: CreatorChangeSchema,
    meaning:
      'The pool of a token names another wallet as its creator, which gets the fees of the creator from now on.',
    data: 'The mint, its pool, the creator now and the one before, and the slot at which the pool was read.',
    reaction:
      'Show the new creator. It proves who is paid, and no consent: anybody can give a token to any wallet.',
    subject: transfer.mintAddress,
    example: {
      mintAddress: transfer.mintAddress,
      poolAddress: transfer.poolAddress,
      creatorWallet: transfer.newCreatorWallet,
      previousCreatorWallet: transfer.creatorWallet,
      slot: String(BigInt(transfer.slot) + 12n),
    },
  },
  'wallet.traded': {
    ...tradeRecord,
    meaning: 'A wallet that the endpoint follows has traded a token.',
    reaction:
      'Act on `traderWallet`, `type` and `solAmount`, and keep each trade once by its `id` and `slot`. Nothing is sent when its slot is rolled back: before you rely on it, see that `listTokenTrades` still lists it.',
    subject: trade?.traderWallet ?? '',
    example: { ...trade },
  },
  'token.traded': {
    ...tradeRecord,
    meaning: 'A token that the endpoint follows was traded.',
    reaction:
      'React as to `wallet.traded`. An endpoint that names both the wallet and the token, and both types, gets one event of each.',
    subject: token.mintAddress,
    example: { ...trade },
  },
} satisfies Record<string, DocumentedEvent>;
