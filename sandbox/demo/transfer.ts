import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { ASSOCIATED_TOKEN, SPL_TOKEN } from '../../src/chain/accounts/programs.ts';

const TOKEN_PROGRAM = new PublicKey(SPL_TOKEN);
const ASSOCIATED_TOKEN_PROGRAM = new PublicKey(ASSOCIATED_TOKEN);
const TRANSFER_CHECKED = 12;

const LAMPORTS = 1_000_000n;
/** 25 whole tokens, in the token's own decimals. */
const WHOLE_TOKENS = 25n;
const COMPUTE_UNITS = 30_000;
const MICRO_LAMPORTS_PER_UNIT = 1_000n;

/** The transfer of the demo intent. */
export interface DemoTransfer {
  readonly wallet: string;
  readonly recipient: string;
  readonly mint: string;
  readonly decimals: number;
}

/** The programs that the transfer calls: the policy of its intent allows these and no other. */
export const transferPrograms: readonly string[] = [
  ComputeBudgetProgram.programId,
  SystemProgram.programId,
  TOKEN_PROGRAM,
].map((program) => program.toBase58());

/** An unsigned v0 transaction that sends SOL and tokens of the wallet, which alone has to sign. */
export function unsignedTransfer(transfer: DemoTransfer, blockhash: string): Uint8Array {
  const wallet = new PublicKey(transfer.wallet);
  const recipient = new PublicKey(transfer.recipient);
  const message = new TransactionMessage({
    payerKey: wallet,
    recentBlockhash: blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: MICRO_LAMPORTS_PER_UNIT }),
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: recipient, lamports: LAMPORTS }),
      transferChecked(wallet, recipient, transfer),
    ],
  });
  return new VersionedTransaction(message.compileToV0Message()).serialize();
}

// Encoded here: importing the token library costs half of the launcher's start-up time and warns about a missing native add-on.
function transferChecked(
  wallet: PublicKey,
  recipient: PublicKey,
  { mint: mintAddress, decimals }: DemoTransfer,
): TransactionInstruction {
  const mint = new PublicKey(mintAddress);
  const data = Buffer.alloc(10);
  data.writeUInt8(TRANSFER_CHECKED, 0);
  data.writeBigUInt64LE(WHOLE_TOKENS * 10n ** BigInt(decimals), 1);
  data.writeUInt8(decimals, 9);
  return new TransactionInstruction({
    programId: TOKEN_PROGRAM,
    keys: [
      { pubkey: tokenAccount(wallet, mint), isSigner: false, isWritable: true },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: tokenAccount(recipient, mint), isSigner: false, isWritable: true },
      { pubkey: wallet, isSigner: true, isWritable: false },
    ],
    data,
  });
}

function tokenAccount(owner: PublicKey, mint: PublicKey): PublicKey {
  const seeds = [owner.toBuffer(), TOKEN_PROGRAM.toBuffer(), mint.toBuffer()];
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0];
}
