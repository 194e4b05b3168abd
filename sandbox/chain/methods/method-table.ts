import type { RpcMethod } from '../rpc-context.ts';
import { accountMethods } from './accounts.ts';
import { blockhashMethods } from './blockhashes.ts';
import { blockMethods } from './blocks.ts';
import { clusterMethods } from './cluster.ts';
import { sandboxMethods } from './sandbox.ts';
import { sendingMethods } from './sending.ts';
import { signatureMethods } from './signatures.ts';
import { slotMethods } from './slots.ts';
import { tokenMethods } from './tokens.ts';
import { transactionMethods } from './transactions.ts';

/** Every method a node answers, by name. */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries({
    ...slotMethods,
    ...clusterMethods,
    ...blockhashMethods,
    ...blockMethods,
    ...sendingMethods,
    ...signatureMethods,
    ...transactionMethods,
    ...accountMethods,
    ...tokenMethods,
    ...sandboxMethods,
  }),
);
