import type { Load } from '../block-load.ts';
import { type Faults, faultsProblem } from '../faults.ts';
import type { ForkRequest } from '../fork.ts';
import type { RpcMethods } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, integerOf, type RpcConfig, signatureOf, stringAt } from '../rpc-params.ts';

const MAX_ADVANCE = 1_000_000;
const MAX_SLOT_MS = 60_000;
/** 144 times the highest that a cluster had: an account of 165 bytes then costs 0.293 SOL. */
const MAX_RENT_LAMPORTS_PER_BYTE = 1_000_000;
const MAX_LOAD_SHARE = 3;
const MAX_LOAD_ACCOUNTS = 16;
/** In micro-lamports a compute unit: a block of 50 million units then pays some 50 SOL. */
const MAX_LOAD_PRICE = 1_000_000_000;

/** Controls no cluster has. Faults never apply to these, so a test can always switch a fault off again. */
export const sandboxMethods: RpcMethods = {
  /** [faults, name?]: replaces the faults of this address, or of the one with the name. */
  sandbox_setFaults: ({ member, network }, params) => {
    const faults = params[0] ?? {};
    const problem = faultsProblem(faults);
    if (problem !== null) throw invalidParams(`Invalid params: ${problem}.`);
    const checked: Faults = faults;
    if (checked.down === 'refuse') throw invalidParams('Invalid params: use down "unavailable" over RPC.');
    const name = params[1];
    const target = name === undefined || name === null ? member : network.find(stringAt(params, 1));
    if (target === undefined) throw invalidParams(`Invalid params: no address is called ${String(name)}.`);
    target.setFaults(checked);
    return null;
  },
  /** Every address of the chain, and what the next blocks are made of. */
  sandbox_status: ({ ledger, network }) => {
    const { space, waiting, load } = ledger.production;
    const { computeUnits, accountComputeUnits, reservedComputeUnits } = space.limits;
    return {
      slot: ledger.slot,
      slotMs: ledger.slotMs,
      rentLamportsPerByte: ledger.vm.rentLamportsPerByte,
      addresses: network.all.map(({ name, kind, rpcUrl, faults }) => ({ name, kind, rpcUrl, faults })),
      block: { computeUnits, accountComputeUnits, reservedComputeUnits, taken: space.taken },
      waiting: waiting.size,
      load,
    };
  },
  /** [{share, fromPrice, toPrice, accounts?}], or nothing to end it: offers transactions of others to every block. */
  sandbox_setLoad: ({ ledger }, params) => {
    const config = configAt(params, 0);
    ledger.production.setLoad(Object.keys(config).length === 0 ? null : loadOf(config));
    return null;
  },
  /** [slotMs]: gives the slots another length, as a gate of a cluster does. Returns the slot from which it holds. */
  sandbox_setSlotMs: ({ ledger }, params) => {
    ledger.setSlotMs(integerWithin(params[0], 'slotMs', MAX_SLOT_MS));
    ledger.save();
    return ledger.slot;
  },
  /** [lamportsPerByte]: changes the rent, as an epoch of a cluster may. Returns the slot from which it holds. */
  sandbox_setRent: ({ ledger }, params) => {
    ledger.setRent(BigInt(integerWithin(params[0], 'lamportsPerByte', MAX_RENT_LAMPORTS_PER_BYTE)));
    ledger.save();
    return ledger.slot;
  },
  /** [count]: moves the chain ahead at once. Returns the new slot. */
  sandbox_advanceSlots: (context, params) => {
    const count = integerOf(params[0], 'slot count');
    if (count > MAX_ADVANCE) throw invalidParams(`Invalid params: at most ${MAX_ADVANCE} slots.`);
    context.ledger.advanceSlots(count);
    context.ledger.save();
    return context.ledger.slot;
  },
  /**
   * [blockhash?]: makes one blockhash, or every one handed out so far, unusable at once; in the second case the
   * chain moves on until each commitment has a fresh one. Returns the new slot.
   */
  sandbox_expireBlockhash: ({ ledger }, params) => {
    const one = params[0];
    if (one === undefined || one === null) {
      ledger.ring.expireEarly();
      ledger.advanceSlots(ledger.finalizedAfterSlots + 1n);
    } else {
      ledger.ring.expireEarly(addressOf(one));
    }
    return ledger.slot;
  },
  /**
   * [{blocks, landAgain?}] or [{signature, landAgain?}]: drops the newest blocks, or those since a transaction.
   * Returns the parent's slot, the new slot, and which transactions are gone or have landed again.
   */
  sandbox_fork: ({ ledger }, params) => {
    const result = ledger.fork(forkRequestOf(configAt(params, 0)));
    // A restart must not bring the dropped blocks back.
    ledger.save();
    return result;
  },
};

function integerWithin(value: unknown, name: string, most: number): number {
  const integer = integerOf(value, name);
  if (integer < 1 || integer > most)
    throw invalidParams(`Invalid params: ${name} must be from 1 to ${most}.`);
  return integer;
}

function loadOf({ share = 1, fromPrice, toPrice = fromPrice, accounts = [] }: RpcConfig): Load {
  if (typeof share !== 'number' || !(share > 0 && share <= MAX_LOAD_SHARE))
    throw invalidParams(`Invalid params: share must be above 0 and at most ${MAX_LOAD_SHARE}.`);
  if (!Array.isArray(accounts) || accounts.length > MAX_LOAD_ACCOUNTS)
    throw invalidParams(
      `Invalid params: accounts must be an array of at most ${MAX_LOAD_ACCOUNTS} addresses.`,
    );
  const prices = { fromPrice: integerOf(fromPrice, 'fromPrice'), toPrice: integerOf(toPrice, 'toPrice') };
  if (prices.fromPrice > prices.toPrice || prices.toPrice > MAX_LOAD_PRICE)
    throw invalidParams(`Invalid params: fromPrice <= toPrice <= ${MAX_LOAD_PRICE} must hold.`);
  return { share, ...prices, accounts: [...new Set(accounts.map(addressOf))] };
}

function forkRequestOf(config: RpcConfig): ForkRequest {
  const { blocks, signature, landAgain } = config;
  if ((blocks === undefined) === (signature === undefined))
    throw invalidParams('Invalid params: a fork takes either blocks or a signature.');
  if (landAgain !== undefined && typeof landAgain !== 'boolean')
    throw invalidParams('Invalid params: landAgain must be true or false.');
  const again = landAgain === undefined ? {} : { landAgain };
  if (signature !== undefined) return { signature: signatureOf(signature), ...again };
  const count = integerOf(blocks, 'blocks');
  if (count === 0) throw invalidParams('Invalid params: a fork drops at least one block.');
  return { blocks: count, ...again };
}
