import type { Keypair } from '@solana/web3.js';
import { signBytes } from '../../test/support/trading/traded-market.ts';
import { callApi } from './call-api.ts';
import type { Journey } from './journey.ts';

export interface ProductTraderOptions {
  /** Origin + `/api/v2`. */
  baseUrl: string;
  header: Record<string, string>;
  mint: string;
  wallet: Keypair;
  order: Readonly<Record<string, unknown>>;
}

interface Intent {
  id: string;
  status: string;
  version: number;
  serializedTransaction: string;
}

const WAIT = { prefer: 'wait=25' };

/** Clients of the product that trade with the requests of today, and with those of before. */
export function createProductTrader({ baseUrl, header, mint, wallet, order }: ProductTraderOptions) {
  const call = <Body>(journey: Journey, path: string, headers?: Record<string, string>, body?: object) =>
    callApi<Body>({ base: baseUrl, header }, { path, headers, body }, (request) => journey.request(request));

  const submission = ({ serializedTransaction }: Intent) => ({
    signedTransaction: Buffer.from(signBytes(Buffer.from(serializedTransaction, 'base64'), wallet)).toString(
      'base64',
    ),
  });

  async function untilEnded(journey: Journey, submitted: Intent): Promise<void> {
    let intent = submitted;
    while (intent.status === 'submitted') {
      const known = { ...WAIT, 'if-none-match': `"${intent.version}"` };
      intent = await call<Intent>(journey, `/transaction-intents/${intent.id}`, known);
    }
    if (intent.status !== 'confirmed') throw new Error(`the trade is ${intent.status}`);
  }

  return {
    /** Prepare; submit and wait. */
    async inTwoRequests(journey: Journey): Promise<void> {
      const { intent } = await call<{ intent: Intent }>(journey, `/tokens/${mint}/swaps`, {}, order);
      const headers = { ...WAIT, 'if-match': `"${intent.version}"` };
      const path = `/transaction-intents/${intent.id}/submissions`;
      await untilEnded(journey, await call<Intent>(journey, path, headers, submission(intent)));
    },
    /** Prepare; read the intent; submit; wait. */
    async inFourRequests(journey: Journey): Promise<void> {
      const { intentId } = await call<{ intentId: string }>(journey, `/tokens/${mint}/swaps`, {}, order);
      const intent = await call<Intent>(journey, `/transaction-intents/${intentId}`);
      const headers = { 'if-match': `"${intent.version}"` };
      const path = `/transaction-intents/${intent.id}/submissions`;
      await untilEnded(journey, await call<Intent>(journey, path, headers, submission(intent)));
    },
  };
}
