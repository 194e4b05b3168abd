import { createHash } from 'node:crypto';
import { CpAmm, CpAmmIdl } from '@meteora-ag/cp-amm-sdk';
import { createDbcProgram, DynamicBondingCurveIdl } from '@meteora-ag/dynamic-bonding-curve-sdk';
import { Connection } from '@solana/web3.js';
import type { ChainTransaction, Instruction } from '../../../src/indexer/decode/chain-transaction.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';

/** The interfaces that the two programs' libraries publish. They are the oracle of every layout. */
const idls = { dbc: DynamicBondingCurveIdl, damm: CpAmmIdl };
export type IdlProgram = keyof typeof idls;

// Nothing connects to this address, because tests use only the event coders.
const nowhere = new Connection('http://127.0.0.1:1');
const coders = {
  dbc: createDbcProgram(nowhere).program.coder.events,
  damm: new CpAmm(nowhere)._program.coder.events,
};

const eventAuthorities = {
  dbc: '8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF',
  damm: '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet',
};

interface Named {
  name: string;
  discriminator: readonly number[];
}

export function idlEvents(program: IdlProgram): { name: string; discriminator: string }[] {
  const events: readonly Named[] = idls[program].events;
  return events.map(({ name, discriminator }) => ({ name, discriminator: hex(discriminator) }));
}

/** The fields of an event, decoded by the library, as text: integers in decimal, keys in Base58. */
export function idlDecode(program: IdlProgram, eventName: string, body: Uint8Array): Record<string, string> {
  const bytes = Buffer.concat([discriminatorOf(program, eventName), body]);
  const decoded = coders[program].decode(bytes.toString('base64'));
  if (decoded === null) throw new Error(`the library does not know ${eventName}`);
  return flatten(decoded.data);
}

function flatten(data: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, string][] =>
      isPlain(value) ? Object.entries(flatten(value)) : [[name, String(value)]],
    ),
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A fixed address for each role. */
export function addressOf(role: string): string {
  return encodeBase58(createHash('sha256').update(role).digest());
}

/** An instruction with its accounts in the published order. Missing roles get their own addresses. */
export function idlInstruction(
  program: IdlProgram,
  name: string,
  given: Readonly<Record<string, string>>,
  args: Uint8Array = new Uint8Array(),
): Instruction {
  const instructions: readonly (Named & { accounts: readonly { name: string }[] })[] =
    idls[program].instructions;
  const found = instructions.find((instruction) => instruction.name === name);
  if (found === undefined) throw new Error(`no instruction ${name}`);
  return {
    programAddress: idls[program].address,
    accounts: found.accounts.map((account) => given[account.name] ?? addressOf(account.name)),
    data: encodeBase58(Buffer.concat([Buffer.from(found.discriminator), args])),
    stackHeight: 1,
  };
}

export function eventInstruction(program: IdlProgram, eventName: string, body: Uint8Array): Instruction {
  return {
    programAddress: idls[program].address,
    accounts: [eventAuthorities[program]],
    data: encodeBase58(
      Buffer.concat([Buffer.from('e445a52e51cb9a1d', 'hex'), discriminatorOf(program, eventName), body]),
    ),
    stackHeight: 2,
  };
}

/** A transaction of one instruction and its inner ones. */
export function transactionOf(outer: Instruction, inner: readonly Instruction[]): ChainTransaction {
  return {
    signature: encodeBase58(Buffer.alloc(64, 7)),
    slot: 461_000_000n,
    blockTimeSeconds: 1_797_000_000n,
    transactionIndex: null,
    failed: false,
    tokenBalances: [],
    instructions: [{ ...outer, outerIndex: 0, inner }],
  };
}

function discriminatorOf(program: IdlProgram, eventName: string): Buffer {
  const events: readonly Named[] = idls[program].events;
  const found = events.find(({ name }) => name === eventName);
  // The present library lacks some events. Their discriminators follow from the name by Anchor's rule.
  return found === undefined
    ? createHash('sha256').update(`event:${eventName}`).digest().subarray(0, 8)
    : Buffer.from(found.discriminator);
}

function hex(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('hex');
}
