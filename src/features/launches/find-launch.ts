import type { Queryable } from '../../db/client.ts';
import type { Reader } from '../../db/look-ups.ts';
import { type LaunchRow, launchColumns } from './record.ts';
import type { LaunchTexts } from './texts.ts';

/** The launch of an account, or null. */
export async function findLaunch(db: Reader, launchId: string, accountId: string): Promise<LaunchRow | null> {
  const [row] = await db<LaunchRow[]>`
    select ${launchColumns(db)} from launches l join transaction_intents i on i.id = l.intent_id
    where l.id = ${launchId} and l.account_id = ${accountId}`;
  return row ?? null;
}

/** The creator's texts of the token with this mint; null when it was not launched here, or is hidden. */
export async function findLaunchTexts(db: Queryable, mintAddress: string): Promise<LaunchTexts | null> {
  const [row] = await db<(Omit<LaunchTexts, 'links'> & LaunchTexts['links'])[]>`
    select l.name, l.symbol, l.description, l.image_url, l.telegram, l.twitter, l.website
    from launches l join visible_tokens t using (mint_address) where mint_address = ${mintAddress}`;
  if (row === undefined) return null;
  const { telegram, twitter, website, ...texts } = row;
  return { ...texts, links: { telegram, twitter, website } };
}
