import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import bs58 from 'bs58';
import { COMPUTE_BUDGET, SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { ed25519PrivateKey } from '../../src/shared/ed25519-private-key.ts';
import type { BlockhashRing } from './blockhash-ring.ts';
import type { LandingResult } from './landing.ts';
import type { StoredAccount, VirtualMachine } from './vm.ts';
import { parseTransaction, type WireTransaction } from './wire-transaction.ts';

// Below 2^53 even when full, so that recorded balances are exact in JSON.
const RESERVE_LAMPORTS = 5_000_000_000_000_000n;

/** The chain that the faucet pays on. */
interface PaidChain {
  readonly vm: VirtualMachine;
  readonly ring: BlockhashRing;
  readonly slot: bigint;
  land(transaction: WireTransaction): LandingResult;
  setAccount(address: string, account: StoredAccount): void;
}

/** Pays airdrops with ordinary signed transfers, so each has a signature, a status and a place in history. */
export class Faucet {
  readonly address: string;
  readonly #privateKey: KeyObject;
  #issued = 0;

  constructor(genesisHash: string) {
    const seed = new Bun.CryptoHasher('sha256').update(`faucet:${genesisHash}`).digest();
    this.#privateKey = ed25519PrivateKey(seed);
    const spki = createPublicKey(this.#privateKey).export({ format: 'der', type: 'spki' });
    this.address = encodeBase58(spki.subarray(-32));
  }

  /** Transfers lamports to an address in the current slot. Returns the signature, or null when it was refused. */
  airdrop(ledger: PaidChain, recipient: string, lamports: bigint): string | null {
    this.refillIfLow(ledger, lamports);
    const message = this.#transferMessage(recipient, lamports, ledger.ring.hashOf(ledger.slot));
    const signature = sign(null, message, this.#privateKey);
    const transaction = parseTransaction(Buffer.concat([Uint8Array.of(1), signature, message]));
    const result = ledger.land(transaction);
    return result.landed && result.err === null ? transaction.signature : null;
  }

  /** Makes sure that it can pay `lamports` and still has half of its reserve. */
  refillIfLow(ledger: PaidChain, lamports = 0n): void {
    if (ledger.vm.getBalanceLamports(this.address) >= lamports + RESERVE_LAMPORTS / 2n) return;
    const account = { lamports: RESERVE_LAMPORTS, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    ledger.setAccount(this.address, { ...account, executable: false, rentEpoch: 0n });
  }

  /** The unit limit differs from one airdrop to the next: two equal ones in a slot would be one transaction. */
  #transferMessage(recipient: string, lamports: bigint, blockhash: string): Buffer {
    this.#issued += 1;
    const limit = Buffer.alloc(5);
    limit[0] = 2;
    limit.writeUInt32LE(1_000 + (this.#issued % 1_000_000), 1);
    const transfer = Buffer.alloc(12);
    transfer[0] = 2;
    transfer.writeBigUInt64LE(lamports, 4);
    const keys = [this.address, recipient, SYSTEM_PROGRAM, COMPUTE_BUDGET].map((key) => bs58.decode(key));
    return Buffer.concat([
      Uint8Array.of(1, 0, 2, keys.length),
      ...keys,
      bs58.decode(blockhash),
      Uint8Array.of(2, 3, 0, limit.length),
      limit,
      Uint8Array.of(2, 2, 0, 1, transfer.length),
      transfer,
    ]);
  }
}
