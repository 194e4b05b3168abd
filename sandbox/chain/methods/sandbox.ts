import { type Faults, faultsProblem } from '../faults.ts';
import type { ForkRequest } from '../fork.ts';
import type { RpcMethods } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, integerOf, type RpcConfig, signatureOf } from '../rpc-params.ts';

const MAX_ADVANCE = 1_000_000;

/** Controls no cluster has. Faults never apply to these, so a test can always switch a fault off again. */
export const sandboxMethods: RpcMethods = {
  /** [faults]: replaces the faults of this node. */
  sandbox_setFaults: (context, params) => {
    const faults = params[0] ?? {};
    const problem = faultsProblem(faults);
    if (problem !== null) throw invalidParams(`Invalid params: ${problem}.`);
    const checked: Faults = faults;
    if (checked.down === 'refuse') throw invalidParams('Invalid params: use down "unavailable" over RPC.');
    context.setFaults(checked);
    return null;
  },
  /** [count]: moves the chain ahead at once. @returns the new slot */
  sandbox_advanceSlots: (context, params) => {
    const count = integerOf(params[0], 'slot count');
    if (count > MAX_ADVANCE) throw invalidParams(`Invalid params: at most ${MAX_ADVANCE} slots.`);
    context.ledger.advanceSlots(count);
    context.ledger.save();
    return context.ledger.slot;
  },
  /**
   * [blockhash?]: makes one blockhash, or every one handed out so far, unusable at once; in the second case the
   * chain moves on until each commitment has a fresh one. @returns the new slot
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
   * @returns the parent's slot, the new slot, and which transactions are gone or have landed again
   */
  sandbox_fork: ({ ledger }, params) => {
    const result = ledger.fork(forkRequestOf(configAt(params, 0)));
    // A restart must not bring the dropped blocks back.
    ledger.save();
    return result;
  },
};

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
