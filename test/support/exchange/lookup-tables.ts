import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  type Keypair,
  type PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { Ledger } from '../../../sandbox/chain/ledger.ts';
import { parseTransaction } from '../../../sandbox/chain/wire-transaction.ts';

/** The number of addresses that fit into one transaction. */
const EXTENDED_AT_ONCE = 20;
const TABLES = 2;

export interface LookupTables {
  accounts: AddressLookupTableAccount[];
}

export interface Landed {
  signature: string;
  err: unknown;
}

/** Lands a message of version 0 at once. The first signer pays. */
export function landVersioned(
  ledger: Ledger,
  signers: readonly Keypair[],
  instructions: readonly TransactionInstruction[],
  tables: readonly AddressLookupTableAccount[],
): Landed {
  const [payer] = signers;
  if (payer === undefined) throw new Error('nobody pays');
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: ledger.ring.hashOf(ledger.slot),
    instructions: [...instructions],
  }).compileToV0Message([...tables]);
  const transaction = new VersionedTransaction(message);
  transaction.sign([...signers]);
  const wire = parseTransaction(transaction.serialize());
  const { landed, err } = ledger.land(wire);
  if (!landed) throw new Error(`refused without a trace: ${JSON.stringify(err)}`);
  return { signature: wire.signature, err };
}

/** Creates lookup tables by transactions and distributes the addresses over them in turn. */
export function createTables(ledger: Ledger, keeper: Keypair, addresses: readonly PublicKey[]): LookupTables {
  const accounts = Array.from({ length: TABLES }, (_, at) =>
    createTable(
      ledger,
      keeper,
      addresses.filter((_address, index) => index % TABLES === at),
    ),
  );
  return { accounts };
}

function createTable(
  ledger: Ledger,
  keeper: Keypair,
  addresses: readonly PublicKey[],
): AddressLookupTableAccount {
  ledger.advanceSlots(1);
  const { publicKey: payer } = keeper;
  const recentSlot = ledger.slot - 1n;
  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    authority: payer,
    payer,
    recentSlot,
  });
  mustLand(ledger, keeper, create);
  for (let from = 0; from < addresses.length; from += EXTENDED_AT_ONCE) {
    const added = addresses.slice(from, from + EXTENDED_AT_ONCE);
    const parts = { lookupTable, authority: payer, payer, addresses: [...added] };
    mustLand(ledger, keeper, AddressLookupTableProgram.extendLookupTable(parts));
  }
  // Added addresses can be used from the next slot on.
  ledger.advanceSlots(1);
  const account = ledger.vm.getAccount(lookupTable.toBase58());
  if (account === null) throw new Error('the table was not created');
  const state = AddressLookupTableAccount.deserialize(account.data);
  return new AddressLookupTableAccount({ key: lookupTable, state });
}

function mustLand(ledger: Ledger, keeper: Keypair, instruction: TransactionInstruction): void {
  const { err } = landVersioned(ledger, [keeper], [instruction], []);
  if (err !== null) throw new Error(`failed: ${JSON.stringify(err)}`);
}
