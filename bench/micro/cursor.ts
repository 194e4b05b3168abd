import { createHmac, randomBytes } from 'node:crypto';
import { createCursors } from '../../src/http/lists/cursor.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate } from '../measurement/rounds.ts';
import { pick } from './pick.ts';
import { timedVariant } from './timed-variant.ts';

const POSITIONS = 64;
const BINDING = ['listTokenTrades', 'So11111111111111111111111111111111111111112'];

/** Signing and verifying a pagination cursor beside one native HMAC over as many bytes. */
export const cursor: BenchCase = async ({ rounds, roundMs }) => {
  const key = randomBytes(32);
  const cursors = createCursors(key);
  const positions = Array.from({ length: POSITIONS }, (_, index) => [
    `${300_000_000 + index}`,
    '12',
    '3',
    '0',
    '9',
  ]);
  const signed = positions.map((position) => cursors.sign(position, BINDING));
  const bytes = Buffer.from(JSON.stringify([BINDING, positions[0]]));
  const figures = await alternate(
    [
      timedVariant(
        'ours: sign',
        roundMs,
        (index) => cursors.sign(pick(positions, index), BINDING).length > 20,
      ),
      timedVariant(
        'ours: verify',
        roundMs,
        (index) => cursors.verify(pick(signed, index), BINDING, 5)[0] === pick(positions, index)[0],
      ),
      timedVariant(
        'native: HMAC',
        roundMs,
        () => createHmac('sha256', key).update(bytes).digest().byteLength === 32,
      ),
    ],
    rounds,
  );
  return {
    name: 'pagination cursor of five keys',
    figures,
    ratios: {
      'time, sign / native HMAC': ratio(figures, 'ours: sign', 'native: HMAC', 'microsecondsPerCall'),
      'time, verify / native HMAC': ratio(figures, 'ours: verify', 'native: HMAC', 'microsecondsPerCall'),
    },
  };
};
