import { wholeNumber } from '../../packages/client/src/cli/kit/option.ts';
import { WRAPPED_SOL_MINT } from '../chain/accounts/programs.ts';
import { ClaimsUnavailable } from '../chain/pools/claims/claim-reader.ts';
import type { MintPosition } from '../features/fees/claimable/list-claim-tokens.ts';
import { listPartnerWallets } from '../features/fees/claimable/list-partner-wallets.ts';
import type { ClaimableToken, WalletClaims } from '../features/fees/claimable/wallet-claims.ts';
import { claimsReader } from './claims-reader.ts';
import { type Command, CommandRefused } from './command.ts';
import { feesPrepare } from './fees-prepare-command.ts';
import { address } from './option.ts';

const TOKENS_PER_PAGE = 100;
const TOKENS_DEFAULT = 50;
const TOKENS_MAX = 10_000;

/** Shows what the partners of the platform's configs can claim (contract/claims). */
const feesShow: Command = {
  name: 'fees show',
  summary: 'Shows what the platform can claim as the partner of its tokens, in all and by token',
  options: {
    wallet: address('only this wallet', { ifUnset: 'every wallet that is the partner of a token' }),
    limit: wholeNumber('tokens that are listed, those with the most SOL first', 'tokens', {
      most: TOKENS_MAX,
      default: String(TOKENS_DEFAULT),
    }),
  },
  examples: ['--wallet 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj'],
  async run(dependencies, options, report) {
    const { database } = dependencies;
    const walletClaims = claimsReader(dependencies);
    const named = options.wallet;
    const wallets = named === undefined ? await listPartnerWallets(database) : [named];
    const pages: { summary: Record<string, unknown>; rows: FeeRow[] }[] = [];
    let done = 0;
    for (const wallet of wallets)
      pages.push(
        await feesOf(walletClaims, wallet, (tokens) => {
          done += tokens;
          report(done, null, 'tokens');
        }).catch(refuseUnavailable),
      );
    const rows = pages.flatMap((one) => one.rows);
    return {
      wallets: pages.map(({ summary }) => summary),
      tokens: rows
        .sort(mostFirst)
        .slice(0, Number(options.limit))
        .map(({ line }) => line),
    };
  },
};

export const feesCommands = [feesShow, feesPrepare];

/** A line of the table, and the amount by which the lines are sorted. */
interface FeeRow {
  lamports: bigint;
  line: ReturnType<typeof toLine>;
}

/** Reads all tokens of a wallet page by page. */
async function feesOf(walletClaims: WalletClaims, wallet: string, onPage: (tokens: number) => void) {
  const rows: FeeRow[] = [];
  let after: MintPosition | undefined;
  let positionsComplete = true;
  for (;;) {
    const page = await walletClaims.page(wallet, { limit: TOKENS_PER_PAGE, after });
    rows.push(...page.items.map((token) => ({ lamports: lamportsOf(token), line: toLine(wallet, token) })));
    positionsComplete &&= page.arePositionsComplete;
    onPage(page.items.length);
    if (page.next === null) break;
    after = page.next;
  }
  const summary = {
    wallet,
    lamports: String(rows.reduce((sum, { lamports }) => sum + lamports, 0n)),
    tokens: rows.filter(({ line }) => line.kinds !== '').length,
    tokensUnread: rows.filter(({ line }) => line.unread !== '').length,
    positionsComplete,
  };
  return { summary, rows };
}

function lamportsOf({ claims }: ClaimableToken): bigint {
  return claims
    .filter(({ quote }) => quote.mint === WRAPPED_SOL_MINT)
    .reduce((sum, { quote }) => sum + quote.amountRaw, 0n);
}

function mostFirst(left: FeeRow, right: FeeRow): number {
  if (left.lamports === right.lamports) return left.line.mintAddress < right.line.mintAddress ? -1 : 1;
  return left.lamports > right.lamports ? -1 : 1;
}

function toLine(wallet: string, token: ClaimableToken) {
  return {
    wallet,
    mintAddress: token.mintAddress,
    symbol: token.symbol,
    lamports: String(lamportsOf(token)),
    baseRaw: String(token.claims.reduce((sum, { base }) => sum + base.amountRaw, 0n)),
    kinds: [...new Set(token.claims.map(({ kind }) => kind))].join(' '),
    unread: token.unread.join(' '),
  };
}

function refuseUnavailable(error: unknown): never {
  if (error instanceof ClaimsUnavailable) throw new CommandRefused(`no node responds: ${error.message}`);
  throw error;
}
