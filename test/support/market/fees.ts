import { signatureOf } from './market-arbitraries.ts';
import { atSlot } from './staking.ts';

/** `ingest.fee_state`: a thousand lamports a slot. */
export function feeStateMessage(mintAddress: string, slot: number, changes: Record<string, unknown> = {}) {
  return {
    mintAddress,
    feeBps: { creator: 5_000, platform: 3_000, stakers: 2_000 },
    accruedLamports: String(slot * 1_000),
    slot: String(slot),
    asOf: atSlot(slot),
    ...changes,
  };
}

/** `ingest.fee_claimable`: ten lamports a slot. */
export function claimableMessage(mintAddress: string, walletAddress: string, slot: number) {
  const claimableLamports = String(slot * 10);
  return { mintAddress, walletAddress, claimableLamports, slot: String(slot), asOf: atSlot(slot) };
}

/** `ingest.fee_distribution`: ten lamports a number, in slot 100 + number. */
export function distributionMessage(
  mintAddress: string,
  number: number,
  changes: Record<string, unknown> = {},
) {
  return {
    mintAddress,
    recipientWallet: mintAddress,
    role: 'creator' as const,
    amountLamports: String(number * 10),
    transactionSignature: signatureOf(number),
    instructionIndex: 0,
    slot: String(100 + number),
    distributedAt: atSlot(100 + number),
    ...changes,
  };
}
