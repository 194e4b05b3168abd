import { beforeAll, beforeEach, expect, test } from 'bun:test';
import {
  type IngestStream,
  newAddress,
  openIngestStream,
  tokenMessage,
  tradeMessage,
} from '../support/market/ingest-stream.ts';
import { eventually } from '../support/run/eventually.ts';

let stream: IngestStream;

beforeAll(async () => {
  stream = await openIngestStream();
});
beforeEach(() => stream.reset());

/** The time of `tradeMessage` with this number. */
const timeOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString();
const proofMessage = (mintAddresses: readonly string[], number: number, changes: object = {}) => ({
  mintAddresses,
  through: timeOf(number),
  slot: String(100 + number),
  ...changes,
});
/** Everything is settled, and the last proof of this token is stored. */
const settle = (mint?: string, number?: number) =>
  stream.withWorkers(
    1,
    async () => {
      await eventually('settled', () => stream.isSettled());
      if (mint !== undefined && number !== undefined)
        await eventually('proven', async () => (await provenThrough(mint)) === timeOf(number));
    },
    'impatient',
  );
async function provenThrough(mint: string): Promise<string | null> {
  const [row] = await stream.db<{ through: Date }[]>`
    select through from source_proofs where mint_address = ${mint}`;
  return row?.through.toISOString() ?? null;
}
const tradeCount = async (mint: string) =>
  (await stream.db`select from trades where mint_address = ${mint}`).count;

test('the furthest proof of a token wins, twice and in any order; what is no proof is rejected with its reason', async () => {
  const [mint, other] = [newAddress(), newAddress()];
  await stream.feed('token', tokenMessage(mint));
  await stream.feed('token', tokenMessage(other));
  await stream.feed('source_proof', proofMessage([mint, other], 5));
  await stream.feed('source_proof', proofMessage([mint], 9));
  await stream.feed('source_proof', proofMessage([mint, other], 7));
  await stream.feed('source_proof', proofMessage([mint], 9));
  await settle(other, 7);
  expect([await provenThrough(mint), await provenThrough(other)]).toEqual([timeOf(9), timeOf(7)]);
  const unknown = newAddress();
  const future = new Date(Date.now() + 3_600_000).toISOString();
  for (const message of [
    proofMessage([unknown, other], 8),
    proofMessage([mint], 0, { through: future }),
    proofMessage([mint], 0, { through: 'soon' }),
    proofMessage([], 10),
    proofMessage(['1'.repeat(40)], 10),
  ])
    await stream.feed('source_proof', message);
  await settle(other, 8);
  expect([await provenThrough(mint), await provenThrough(other)]).toEqual([timeOf(9), timeOf(8)]);
  const reasons = (await stream.rejections()).map(({ reason }) => reason);
  expect(reasons).toEqual([
    'unknown_token',
    'proof_in_future',
    'schema_invalid',
    'schema_invalid',
    'schema_invalid',
  ]);
});

test('a proof waits for a message before it that waits for its token, and holds no other kind up', async () => {
  const [mint, late] = [newAddress(), newAddress()];
  await stream.feed('token', tokenMessage(mint));
  await stream.feed('trade', tradeMessage(late, 1));
  await stream.feed('source_proof', proofMessage([mint], 10));
  await stream.feed('trade', tradeMessage(mint, 2));
  await stream.withWorkers(2, async () => {
    await eventually('the trade behind the proof is stored', async () => (await tradeCount(mint)) === 1);
    expect(await provenThrough(mint)).toBeNull();
    await stream.feed('token', tokenMessage(late));
    await eventually('proven', async () => (await provenThrough(mint)) !== null);
    expect(await tradeCount(late)).toBe(1);
  });
});

test('a message that can never be applied does not hold proofs back', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await stream.feed('trade', '{');
  await stream.feed('trade', tradeMessage(newAddress(), 1));
  await stream.feed('source_proof', proofMessage([mint], 10));
  await settle(mint, 10);
});

test('with several workers, no proof is ever stored before every trade that was published before it', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await settle();
  // Looks at the moment a proof is written whether each second before it has its trade.
  await stream.db.unsafe(`
    create table missing_at_proof (through timestamptz, missing int);
    create function check_proof() returns trigger language plpgsql security definer as $$
    begin
      insert into missing_at_proof
      select new.through, extract(epoch from new.through - '2026-01-01Z')::int - count(*)
      from trades where mint_address = new.mint_address and block_time < new.through;
      return new;
    end $$;
    create trigger check_proof before insert or update on source_proofs for each row execute function check_proof();`);
  try {
    await stream.withWorkers(3, async () => {
      for (let number = 0; number < 400; number += 1) {
        await stream.feed('trade', tradeMessage(mint, number));
        if (number % 8 === 7) await stream.feed('source_proof', proofMessage([mint], number + 1));
      }
      await eventually('all proven', async () => (await provenThrough(mint)) === timeOf(400));
    });
    const wrong = await stream.db`select * from missing_at_proof where missing <> 0`;
    expect([...wrong]).toEqual([]);
    const [checked] = await stream.db`select count(*)::int as count from missing_at_proof`;
    expect(checked?.count).toBeGreaterThan(0);
  } finally {
    await stream.db.unsafe(
      'drop trigger check_proof on source_proofs; drop function check_proof; drop table missing_at_proof',
    );
  }
});
