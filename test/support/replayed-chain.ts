import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { sighash } from '../../sandbox/chain/programs/anchor/anchor-program.ts';
import { derivedAddress } from '../../sandbox/chain/programs/derived-address.ts';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { parseTransaction } from '../../sandbox/chain/wire-transaction.ts';
import { accountLayout } from '../../src/chain/accounts/account-layout.ts';
import {
  ADDRESS_LOOKUP_TABLE,
  BONDING_CURVE,
  DAMM_V2,
  SYSTEM_PROGRAM,
} from '../../src/chain/accounts/programs.ts';
import type { Address } from '../../src/shared/address.ts';
import { accountsOf, type RecordedExecution, type RecordedHistory } from './recorded-histories.ts';
import { NATIVE_MINT, tokenAccount } from './token-account-data.ts';

const OPERATOR_BYTES = 72;
const OPERATOR_DISCRIMINATOR = 'db1fbc91458bcc75';
/** An operator of the protocol has all permissions. */
const EVERYTHING = (1n << 12n) - 1n;

/** What a byte cost when the histories were recorded. */
const RECORDED_RENT = 6_960n;

/**
 * A chain that repeats a recorded history with the same wire bytes, slots and times. It does not check
 * blockhashes, because the recorded ones come from another chain.
 */
export class ReplayedChain {
  readonly #chain: SandboxChain;
  readonly #history: RecordedHistory;
  readonly #known = new Set<string>();

  constructor(chain: SandboxChain, history: RecordedHistory) {
    this.#chain = chain;
    this.#history = history;
    Object.assign(chain.ledger, { refusalOf: () => null });
    this.#stageLookupTables();
  }

  static async start(history: RecordedHistory): Promise<ReplayedChain> {
    const chain = await startChain({ slotMs: 'manual', rentLamportsPerByte: RECORDED_RENT });
    return new ReplayedChain(chain, history);
  }

  get ledger() {
    return this.#chain.ledger;
  }

  stop(): Promise<void> {
    return this.#chain.stop();
  }

  /** Sends a step's transaction. Accounts that the history uses for the first time get their recorded
   * state. */
  repeat(step: number): RecordedExecution {
    const { transaction, transactionBase64 } = this.#stepOf(step);
    const { ledger } = this.#chain;
    const slot = BigInt(transaction.slot);
    ledger.clock.push({ slot, unixMs: transaction.blockTime * 1000, slotMs: 400 });
    ledger.advanceSlots(slot - ledger.slot);
    this.#stage(transaction);
    const wire = parseTransaction(Buffer.from(transactionBase64, 'base64'));
    const { landed, err } = ledger.land(wire);
    if (!landed) throw new Error(`refused without a trace: ${JSON.stringify(err)}`);
    const stored = ledger.history.bySignature(wire.signature);
    if (stored === null) throw new Error('the chain has not kept the transaction');
    return { ...transaction, meta: JSON.parse(stored.metaJson) };
  }

  /** Finds a top-level instruction of a step by name, because its first bytes are the name's hash. */
  instruction(step: number, name: string): TransactionInstruction {
    const { transaction } = this.#stepOf(step).transaction;
    const { accountKeys, instructions } = transaction.message;
    const tag = Buffer.from(sighash('global', name));
    const found = instructions.find(({ data }) => Buffer.from(bs58.decode(data)).subarray(0, 8).equals(tag));
    if (found === undefined) throw new Error(`step ${step} has no ${name}`);
    const keys = found.accounts.map((index) => ({
      pubkey: new PublicKey(accountKeys[index] ?? ''),
      isSigner: index === 0,
      isWritable: true,
    }));
    const programId = new PublicKey(accountKeys[found.programIdIndex] ?? '');
    return new TransactionInstruction({ programId, keys, data: Buffer.from(bs58.decode(found.data)) });
  }

  #stepOf(step: number): RecordedHistory['steps'][number] {
    const found = this.#history.steps[step];
    if (found === undefined) throw new Error(`the history has no step ${step}`);
    return found;
  }

  /** Stages the lookup tables first, because transactions do not list them among their accounts. */
  #stageLookupTables(): void {
    for (const [address, { owner, lamports, dataBase64 }] of Object.entries(this.#history.accountsAfter)) {
      if (owner !== ADDRESS_LOOKUP_TABLE) continue;
      const data = Buffer.from(dataBase64, 'base64');
      const account = { owner, lamports: BigInt(lamports), data, executable: false, rentEpoch: 0n };
      this.#chain.ledger.setAccount(address, account);
    }
  }

  #stage(execution: RecordedExecution): void {
    accountsOf(execution).forEach((address, index) => {
      if (this.#known.has(address)) return;
      this.#known.add(address);
      this.#stageAccount(execution, address, index);
    });
  }

  #stageAccount(execution: RecordedExecution, address: string, index: number): void {
    const { meta, transaction } = execution;
    const lamports = BigInt(meta.preBalances[index] ?? 0);
    const before = this.#chain.ledger.vm.getAccount(address);
    // The virtual machine provides programs, sysvars and the native mint.
    if (lamports === 0n || before?.executable === true || address === NATIVE_MINT) return;
    if (before?.owner.startsWith('Sysvar')) return;
    const token = meta.preTokenBalances.find(({ accountIndex }) => accountIndex === index);
    const after = this.#history.accountsAfter[address];
    const operator = operatorAccount(address, transaction.message.accountKeys);
    const account = { lamports, executable: false, rentEpoch: 0n };
    if (token !== undefined) {
      const amount = BigInt(token.uiTokenAmount.amount);
      const staged = tokenAccount(token.mint, token.owner, amount, token.programId);
      this.#chain.ledger.setAccount(address, { ...staged, lamports });
    } else if (operator !== null) {
      this.#chain.ledger.setAccount(address, { ...account, ...operator });
    } else {
      const data = after === undefined ? new Uint8Array(0) : Buffer.from(after.dataBase64, 'base64');
      this.#chain.ledger.setAccount(address, { ...account, owner: after?.owner ?? SYSTEM_PROGRAM, data });
    }
  }
}

/** The account of a protocol operator, when the address is derived from one of these wallets. */
function operatorAccount(address: string, wallets: readonly string[]) {
  for (const program of [BONDING_CURVE, DAMM_V2]) {
    for (const wallet of wallets) {
      if (derivedAddress(program, 'operator', bs58.decode(wallet)).address !== address) continue;
      const data = new Uint8Array(OPERATOR_BYTES);
      data.set(Buffer.from(OPERATOR_DISCRIMINATOR, 'hex'));
      const layout = accountLayout(
        { program, discriminators: [OPERATOR_DISCRIMINATOR], bytesMin: OPERATOR_BYTES },
        { wallet: [8, 'address'], permission: [40, 'u128'] },
      );
      layout.write(data, { wallet: wallet as Address, permission: EVERYTHING });
      return { owner: program, data };
    }
  }
  return null;
}
