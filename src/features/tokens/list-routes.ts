import { Type } from '@sinclair/typebox';
import type { Database } from '../../db/client.ts';
import type { KeysetPage, OrdinalPosition } from '../../db/keyset-page.ts';
import { launchTypes, tokenStatuses } from '../../db/values/tokens.ts';
import type { CacheReader } from '../../http/caches/cache-reader.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { type PageBody, PageOf, paginationFields, requestedPage } from '../../http/lists/pages.ts';
import { publicRead, type Route, type RouteDefinition, type SerialisedReply } from '../../http/route.ts';
import { described, OneOf } from '../../shared/field-schemas.ts';
import { findTokens } from './find-tokens.ts';
import { listRankedTokens, type RankedPosition } from './list-ranked-tokens.ts';
import { listTokens } from './list-tokens.ts';
import { type ListedToken, ListedTokenSchema, type Token } from './schema.ts';
import { type SearchPosition, searchTokens } from './search-tokens.ts';
import {
  isFiltered,
  isSelective,
  type TokenFilter,
  type TokenQuery,
  tokenSelection,
} from './token-filter.ts';
import { tokenQueryFields } from './token-query.ts';

export interface TokenRouteDependencies {
  publicDatabase: Database;
  cursors: Cursors;
  tokenCaches: TokenCaches;
}

/** Pre-serialised reads. `tokens` and `lists` are dropped when a token changes, the others expire by age. */
export interface TokenCaches {
  tokens: SerialisedCache<Token>;
  /** Newest first, without further filters. */
  lists: SerialisedCache<PageBody<ListedToken>>;
  /** Sorted lists and lists of mints: what a trade changes. */
  rankedLists: SerialisedCache<PageBody<ListedToken>>;
  /** Lists that read many more rows than they show. */
  searches: SerialisedCache<PageBody<ListedToken>>;
}

/** Requests that a search, or a list of mints, counts as: what it may cost beside a page of an index. */
const SELECTIVE_COST = 5;

export const listTokensDefinition = {
  id: 'listTokens',
  method: 'GET',
  path: '/tokens',
  tag: 'Tokens',
  summary: 'Find and list tokens',
  description:
    'Without further parameters the newest tokens come first. Tokens that are launched while you page appear on a new first page, so pages never repeat or skip a token. `sort` orders by a value of `ranking`, the largest first, and tokens without a value last. `query` finds tokens by symbol, name or the beginning of their address, the best match first, and tolerates one typing mistake. `mints` reads up to 100 tokens at once. Minimum and maximum bounds leave out tokens that lack the value. With a bound on another value than that of `sort`, a page may have fewer items than `limit` while `hasMore` is true.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  rateCost: (query) => (isSelective(query) ? SELECTIVE_COST : 1),
  successStatus: 200,
  maxAgeSeconds: 5,
  query: Type.Object({
    ...paginationFields,
    status: described('Only items with this status.', Type.Optional(OneOf(tokenStatuses))),
    launchType: described('Only tokens launched this way.', Type.Optional(OneOf(launchTypes))),
    ...tokenQueryFields,
  }),
  response: PageOf(ListedTokenSchema),
  problems: ['cursor_invalid', 'token_index_unavailable'],
  unavailable: 'token_index_unavailable',
} satisfies RouteDefinition;

type ListRead = (
  reader: CacheReader,
) => SerialisedReply<PageBody<ListedToken>> | Promise<SerialisedReply<PageBody<ListedToken>>>;
type PagedQuery = TokenQuery & { limit: number };

export function listTokensRoute({
  publicDatabase: database,
  cursors,
  tokenCaches,
}: TokenRouteDependencies): Route {
  /**
   * The read of a page, ready to be repeated.
   *
   * @param load gets the position of a page; the first page may be of a replica
   */
  function pagedRead<Position extends readonly string[]>(
    { cursor, limit }: PagedQuery,
    { cache, binding, keyCount }: ListOptions<Position>,
    load: (
      db: Database,
      page: { limit: number; after: Position | undefined },
    ) => Promise<KeysetPage<ListedToken, Position>>,
  ): ListRead {
    const page = requestedPage<Position>(
      cursors,
      { cursor, limit },
      [listTokensDefinition.id, ...binding],
      keyCount,
    );
    const { after } = page;
    const read = async (replica: Database | null) =>
      page.toBody(await load(replica ?? database, { limit, after }));
    const key = JSON.stringify([...binding, limit, after]);
    // A replica may lack what the page before has shown.
    return after === undefined
      ? (reader) => cache.requireReplicated(reader, key, read, 'token_not_found')
      : (reader) => cache.require(reader, key, () => read(null), 'token_not_found');
  }

  function listNewest(query: PagedQuery, filter: TokenFilter): ListRead {
    const { status, launchType } = filter;
    const isPlain = !isFiltered(filter);
    // Cursors of lists without further filters stay valid in every release.
    const binding = [status ?? null, launchType ?? null, ...(isPlain ? [] : [furtherBinding(filter)])];
    const cache = isPlain ? tokenCaches.lists : tokenCaches.searches;
    return pagedRead<OrdinalPosition>(query, { cache, binding, keyCount: 1 }, (db, page) =>
      listTokens(db, { ...filter, ...page }),
    );
  }

  function listOf(query: PagedQuery): ListRead {
    const selection = tokenSelection(query);
    if (selection.kind === 'mints') {
      const { mints } = selection;
      const key = JSON.stringify(mints);
      const read = async (replica: Database | null) =>
        pageOfAll(await findTokens(replica ?? database, mints));
      return (reader) => tokenCaches.rankedLists.requireReplicated(reader, key, read, 'token_not_found');
    }
    const { filter } = selection;
    const shared = [filter.status ?? null, filter.launchType ?? null, furtherBinding(filter)];
    if (selection.kind === 'search') {
      const { text, key } = selection;
      const options = {
        cache: tokenCaches.searches,
        binding: ['search', text, ...shared],
        keyCount: 3,
      } as const;
      return pagedRead<SearchPosition>(query, options, (db, page) =>
        searchTokens(db, { ...filter, text, key, ...page }),
      );
    }
    const { sort } = selection;
    if (sort === 'launchedAt') return listNewest(query, filter);
    const { [sort]: _, ...otherBounds } = filter.bounds;
    const isSparse = filter.launchType !== undefined || Object.keys(otherBounds).length > 0;
    const cache = isSparse ? tokenCaches.searches : tokenCaches.rankedLists;
    return pagedRead<RankedPosition>(query, { cache, binding: [sort, ...shared], keyCount: 2 }, (db, page) =>
      listRankedTokens(db, { ...filter, sort, ...page }),
    );
  }

  /** By query: the pipeline remembers short ones, so that the same object comes again and is planned once. */
  const reads = new WeakMap<object, ListRead>();
  return publicRead(listTokensDefinition, (reader) => {
    const { query } = reader;
    let read = reads.get(query);
    if (read === undefined) {
      read = listOf(query);
      reads.set(query, read);
    }
    return read(reader);
  });
}

interface ListOptions<Position extends readonly string[]> {
  cache: SerialisedCache<PageBody<ListedToken>>;
  /** What a cursor is valid for, besides the operation. */
  binding: readonly unknown[];
  keyCount: Position['length'];
}

function furtherBinding({ creatorWallet, bounds }: TokenFilter) {
  return { creatorWallet, bounds };
}

function pageOfAll(tokens: ListedToken[]): PageBody<ListedToken> {
  return { data: tokens, page: { hasMore: false, nextCursor: null } };
}
