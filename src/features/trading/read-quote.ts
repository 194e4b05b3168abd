import type { GateClient } from '../../shared/gate.ts';
import { Problem } from '../../shared/problem.ts';
import { type SnapshotDependencies, takePoolSnapshot } from './pool-snapshots.ts';
import { readInOneSlot } from './read-swap-state.ts';
import { toQuote } from './record.ts';
import { isShare, type RequestedTerms, type SwapTerms, swapTerms } from './swap-terms.ts';
import { swapOfWallet, type WalletSwap, walletLimitOf } from './wallet-swap.ts';

/** Fields of requests for quotes. */
export interface QuoteRequest extends RequestedTerms {
  wallet?: string;
  slippageBps: number;
}

/** Throws `validation_failed` unless a wallet is named with `amountBps`, and only then. */
export function requireWallet(terms: SwapTerms, wallet: string | undefined): void {
  if (isShare(terms) === (wallet !== undefined)) return;
  const [code, message] =
    wallet === undefined
      ? (['required', 'is required with amountBps'] as const)
      : (['invalid_value', 'is for amountBps alone'] as const);
  throw new Problem('validation_failed', { errors: [{ path: '/query/wallet', code, message }] });
}

/** The quote of an anonymous request. */
export function quoteUnder(swap: WalletSwap, slippageBps: number) {
  return toQuote(swap, { slippageBps, limitRaw: walletLimitOf(swap, slippageBps), feeAccount: null });
}

/** Quotes a swap of a token. Throws the problem of a refused one. */
export async function readQuote(
  dependencies: SnapshotDependencies,
  mint: string,
  request: QuoteRequest,
  client: GateClient,
) {
  const place = dependencies.quoteGate.of(client);
  const { wallet, slippageBps } = request;
  const terms = swapTerms(request, 'query');
  requireWallet(terms, wallet);
  if (wallet === undefined) {
    const snapshot = await takePoolSnapshot(dependencies, mint, place);
    return quoteUnder(swapOfWallet(snapshot, terms, 0n), slippageBps);
  }
  const { snapshot, funds } = await readInOneSlot(dependencies, { wallet, mint }, place);
  return quoteUnder(swapOfWallet(snapshot, terms, funds.tokenRaw), slippageBps);
}
