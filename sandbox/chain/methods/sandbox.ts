import { type Faults, faultsProblem } from '../faults.ts';
import type { RpcMethods } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, integerOf } from '../rpc-params.ts';

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
};
