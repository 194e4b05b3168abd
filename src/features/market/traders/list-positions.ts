import type { Queryable } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import {
  addDecimals,
  compareDecimals,
  type DecimalString,
  multiplyDecimals,
  normaliseDecimal,
  rawToDecimal,
  signedDifference,
  subtractDecimals,
  truncateSigned,
} from '../../../shared/decimal.ts';
import { publishedPrice } from '../../../shared/published-value.ts';
import type { Position } from './schema.ts';
import { type TraderRow, toFigures, traderColumns } from './trader-rows.ts';

const SOL_DECIMALS = 9;

/** Mint of a position. */
export type PositionKey = readonly [mintAddress: string];

interface PositionRow extends TraderRow {
  mintAddress: string;
  name: string;
  symbol: string;
  decimals: number;
  isHidden: boolean;
  priceInSol: string | null;
  balanceRaw: string | null;
  isComplete: boolean;
  knownThrough: Date;
}

const ZERO = normaliseDecimal('0');

/**
 * Lists what a wallet has bought and sold, by mint, in one range of the primary key. Positions in hidden tokens
 * are left out of their page.
 */
export async function listPositions(
  db: Queryable,
  wallet: string,
  { limit, after: [mint] = [''] }: { limit: number; after?: PositionKey | undefined },
): Promise<KeysetPage<Position, PositionKey>> {
  const rows = await db<PositionRow[]>`
    select t.mint_address, k.name, k.symbol, k.decimals, k.hidden as is_hidden, m.price_in_sol, ${traderColumns(db)},
      coalesce(s.through, m.as_of) as known_through,
      not exists (select from trader_recounts r where r.mint_address = t.mint_address and r.trader_wallet = t.trader_wallet) as is_complete,
      case when c.is_followed and c.snapshot_slot is not null then coalesce((
        select sum(h.balance_raw) from holder_accounts h
        where h.mint_address = t.mint_address and h.owner_address = t.trader_wallet and h.balance_raw > 0), 0) end as balance_raw
    from (
      select * from token_traders where trader_wallet = ${wallet} and mint_address > ${mint}
      order by mint_address limit ${limit + 1}) t
    join tokens k using (mint_address) join token_markets m using (mint_address)
    left join source_proofs s using (mint_address) left join holder_counting c using (mint_address)
    order by t.mint_address`;
  const { items, next } = keysetPage(
    rows,
    limit,
    (row) => row,
    (row): PositionKey => [row.mintAddress],
  );
  return { items: items.filter(({ isHidden }) => !isHidden).map(toPosition), next };
}

function toPosition(row: PositionRow): Position {
  const figures = toFigures(row);
  const priceInSol = publishedPrice(row.priceInSol);
  return {
    mintAddress: row.mintAddress,
    name: row.name,
    symbol: row.symbol,
    ...figures,
    priceInSol,
    unrealisedInSol:
      priceInSol === null
        ? null
        : truncateSigned(
            signedDifference(multiplyDecimals(figures.heldInToken, priceInSol), figures.costInSol),
            SOL_DECIMALS,
          ),
    ...transfersOf(
      figures,
      row.balanceRaw === null ? null : rawToDecimal(BigInt(row.balanceRaw), row.decimals),
    ),
    complete: row.isComplete,
    asOf: row.knownThrough.toISOString(),
  };
}

/**
 * What must have moved otherwise than by trades: at least what was sold without having been bought came in, and
 * the rest is the difference between the balance and the trades.
 */
function transfersOf(
  figures: Pick<Position, 'heldInToken' | 'uncoveredInToken'>,
  balance: DecimalString | null,
): Pick<Position, 'balanceInToken' | 'receivedInToken' | 'sentInToken'> {
  if (balance === null) return { balanceInToken: null, receivedInToken: null, sentInToken: null };
  const { heldInToken, uncoveredInToken } = figures;
  const isMore = compareDecimals(balance, heldInToken) >= 0;
  const more = isMore ? subtractDecimals(balance, heldInToken) : ZERO;
  return {
    balanceInToken: balance,
    receivedInToken: addDecimals(uncoveredInToken, more),
    sentInToken: isMore ? ZERO : subtractDecimals(heldInToken, balance),
  };
}
