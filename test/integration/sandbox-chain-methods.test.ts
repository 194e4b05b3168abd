import { expect, test } from 'bun:test';
import type { SolanaRpcApi } from '@solana/kit';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';

/** An extension of some providers, which validators do not have. */
type OfProviders = 'getTransactionsForAddress';
/** Those that say null on this chain. */
const empty: ReadonlySet<string> = new Set(['getAgGenesisCert']);

const { chain, payer, rpc, send, signed, latestBlockhash } = await createChainClient();

/** Parameters for each method that @solana/kit has a type for: one that it adds is a mistake here until it is answered. */
async function callsOfKit(): Promise<Record<Exclude<keyof SolanaRpcApi, OfProviders>, unknown[]>> {
  const owner = payer.publicKey.toBase58();
  const mint = NATIVE_MINT.toBase58();
  const account = getAssociatedTokenAddressSync(NATIVE_MINT, payer.publicKey);
  const opening = createAssociatedTokenAccountIdempotentInstruction(
    payer.publicKey,
    account,
    payer.publicKey,
    NATIVE_MINT,
  );
  const first = await signed(await latestBlockhash(), LAMPORTS_PER_SOL, [opening]);
  const { result: signature } = await send(first.serialize());
  const slot = Number(chain.ledger.slot);
  chain.advanceSlots(40);
  const next = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
  const wire = next.serialize().toString('base64');
  const base64 = { encoding: 'base64' };
  return {
    getAccountInfo: [owner, base64],
    getAgGenesisCert: [],
    getBalance: [owner],
    getBlock: [slot, { maxSupportedTransactionVersion: 0 }],
    getBlockCommitment: [slot],
    getBlockHeight: [],
    getBlockProduction: [],
    getBlocks: [slot, slot + 1],
    getBlocksWithLimit: [slot, 2],
    getBlockTime: [slot],
    getClusterNodes: [],
    getEpochInfo: [],
    getEpochSchedule: [],
    getFeeForMessage: [next.compileMessage().serialize().toString('base64')],
    getFirstAvailableBlock: [],
    getGenesisHash: [],
    getHealth: [],
    getHighestSnapshotSlot: [],
    getIdentity: [],
    getInflationGovernor: [],
    getInflationRate: [],
    getInflationReward: [[owner]],
    getLargestAccounts: [],
    getLatestBlockhash: [],
    getLeaderSchedule: [],
    getMaxRetransmitSlot: [],
    getMaxShredInsertSlot: [],
    getMinimumBalanceForRentExemption: [165],
    getMultipleAccounts: [[owner, mint], base64],
    getProgramAccounts: [
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      { ...base64, filters: [{ dataSize: 165 }] },
    ],
    getRecentPerformanceSamples: [5],
    getRecentPrioritizationFees: [[owner]],
    getSignaturesForAddress: [owner],
    getSignatureStatuses: [[signature]],
    getSlot: [],
    getSlotLeader: [],
    getSlotLeaders: [slot, 3],
    getStakeMinimumDelegation: [],
    getSupply: [],
    getTokenAccountBalance: [account.toBase58()],
    getTokenAccountsByDelegate: [owner, { mint }, base64],
    getTokenAccountsByOwner: [owner, { mint }, base64],
    getTokenLargestAccounts: [mint],
    getTokenSupply: [mint],
    getTransaction: [signature, { maxSupportedTransactionVersion: 0 }],
    getTransactionCount: [],
    getVersion: [],
    getVoteAccounts: [],
    isBlockhashValid: [await latestBlockhash(), { commitment: 'processed' }],
    minimumLedgerSlot: [],
    requestAirdrop: [owner, LAMPORTS_PER_SOL],
    sendTransaction: [wire, { ...base64, preflightCommitment: 'processed' }],
    simulateTransaction: [wire, { ...base64, commitment: 'processed' }],
  };
}

test('every method that @solana/kit knows of a validator is answered', async () => {
  for (const [method, params] of Object.entries(await callsOfKit())) {
    const { result, error } = await rpc(method, ...params);
    expect({ method, error, isNull: result === null, isMissing: result === undefined }).toEqual({
      method,
      error: undefined,
      isNull: empty.has(method),
      isMissing: false,
    });
  }
});

test('what no validator has any more is an unknown method here too', async () => {
  for (const method of ['getRecentBlockhash', 'getConfirmedBlock', 'getTransactionsForAddress'])
    expect(await rpc(method)).toMatchObject({ error: { code: -32601, message: 'Method not found' } });
});
