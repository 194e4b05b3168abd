import { LOOKUP_TABLE_PROGRAM } from '../../../sandbox/chain/address-lookup.ts';
import { MalformedBytes } from '../../../sandbox/chain/byte-reader.ts';
import { VirtualMachine } from '../../../sandbox/chain/vm.ts';
import { parseTransaction, type WireTransaction } from '../../../sandbox/chain/wire-transaction.ts';
import { lookupTableData } from '../intents/intent-transactions.ts';

const SYSTEM_PROGRAM = '1'.repeat(32);
const MALFORMED_ERRORS = ['SanitizeFailure', 'UnsupportedVersion', 'InvalidAccountIndex'];

/** The verdict of the sandbox chain's runtime on wire bytes, without code of the service. */
export interface RuntimeVerdicts {
  fund(address: string): void;
  /** Without its table the runtime refuses a version 0 transaction before it verifies signatures. */
  storeLookupTable(address: string, addresses: readonly string[]): void;
  /**
   * `malformed`: the bytes are no transaction. `unresolved`: a lookup fails, which the runtime finds before
   * it verifies signatures. `signature`: a signature is invalid. `passed`: all checks passed, with any result
   * of the execution.
   */
  judge(bytes: Uint8Array): 'malformed' | 'unresolved' | 'signature' | 'passed';
}

/** Creates a runtime whose verdicts leave no trace. */
export function createRuntime(): RuntimeVerdicts {
  const vm = new VirtualMachine();
  vm.setClock(10n, 0);
  function store(address: string, owner: string, data: Uint8Array): void {
    vm.setAccount(address, { lamports: 10n ** 12n, owner, data, executable: false, rentEpoch: 0n });
  }
  return {
    fund: (address) => store(address, SYSTEM_PROGRAM, new Uint8Array(0)),
    storeLookupTable: (address, addresses) =>
      store(address, LOOKUP_TABLE_PROGRAM, lookupTableData(addresses)),
    judge(bytes) {
      const transaction = parse(bytes);
      if (transaction === null) return 'malformed';
      const { err } = vm.simulate(transaction, true);
      if (err === 'SignatureFailure') return 'signature';
      if (typeof err === 'string' && err.includes('AddressLookupTable')) return 'unresolved';
      return typeof err === 'string' && MALFORMED_ERRORS.includes(err) ? 'malformed' : 'passed';
    },
  };
}

/** The native binding ends the process on bytes that do not decode, so the chain's own reader goes first. */
function parse(bytes: Uint8Array): WireTransaction | null {
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (error instanceof MalformedBytes) return null;
    throw error;
  }
}
