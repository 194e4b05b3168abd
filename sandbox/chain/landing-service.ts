import { SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import type { MethodTable } from './json-rpc.ts';
import { sandboxMethods } from './methods/sandbox.ts';
import { decodeWire, deliver, maxRetriesOf } from './methods/sending.ts';
import { invalidParams } from './rpc-errors.ts';
import { configAt, stringAt } from './rpc-params.ts';
import { SANDBOX_TIP_ACCOUNTS } from './tip-accounts.ts';
import type { WireMessage } from './wire-message.ts';

/** The rules of an address that only takes transactions. */
export interface LandingServiceRules {
  /** Lamports that each transaction has to transfer to tip accounts. Default 10,000; 0 asks for none. */
  readonly minTipLamports?: number;
  /** Default `SANDBOX_TIP_ACCOUNTS`. */
  readonly tipAccounts?: readonly string[];
  /**
   * What becomes of a transaction without the tip: an error is returned (default), or it is acknowledged and never
   * lands.
   */
  readonly withoutTip?: 'refuse' | 'drop';
}

const TRANSFER = 2;
const TRANSFER_BYTES = 12;
const DEFAULT_MIN_TIP_LAMPORTS = 10_000;

/**
 * The methods of a landing service: `sendTransaction`, which checks the tip and nothing else, and the controls of the
 * sandbox. Its transactions that pay a tip may use the part of a block that is kept for landing services.
 */
export function landingServiceMethods(rules: LandingServiceRules): MethodTable {
  const {
    minTipLamports = DEFAULT_MIN_TIP_LAMPORTS,
    tipAccounts = SANDBOX_TIP_ACCOUNTS,
    withoutTip = 'refuse',
  } = rules;
  const accounts = new Set(tipAccounts);
  return new Map(
    Object.entries({
      ...sandboxMethods,
      sendTransaction: (context, params) => {
        const config = configAt(params, 1);
        const transaction = decodeWire(stringAt(params, 0), config.encoding);
        const { message, signature } = transaction;
        const tip = tipLamportsOf(message, accounts);
        if (tip >= minTipLamports)
          deliver(context, transaction, { mayUseReserve: tip > 0, maxRetries: maxRetriesOf(config) });
        else if (withoutTip === 'refuse')
          throw invalidParams(
            `Transaction must transfer a tip of at least ${minTipLamports} lamports to a tip account`,
          );
        return signature;
      },
    } satisfies typeof sandboxMethods),
  );
}

/** Lamports that top-level transfers of a message pay to tip accounts. Accounts of lookup tables do not count. */
function tipLamportsOf({ instructions, staticKeys }: WireMessage, tipAccounts: ReadonlySet<string>): number {
  let lamports = 0n;
  for (const { programIdIndex, accounts, data } of instructions) {
    if (staticKeys[programIdIndex] !== SYSTEM_PROGRAM || data.length !== TRANSFER_BYTES) continue;
    const fields = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const recipient = staticKeys[accounts[1] ?? -1];
    if (fields.readUInt32LE(0) === TRANSFER && recipient !== undefined && tipAccounts.has(recipient))
      lamports += fields.readBigUInt64LE(4);
  }
  return Number(lamports);
}
