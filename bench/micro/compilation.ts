import {
  compileTransaction,
  type TransactionPlan,
} from '../../src/chain/transactions/compile-transaction.ts';
import { readonly, signer, writable } from '../../src/chain/transactions/instruction.ts';
import { equalBytes } from '../../src/shared/bytes.ts';
import { compileWithKit, compileWithWeb3 } from '../../test/support/chain/library-transactions.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { randomAddress } from '../http/stored-token.ts';
import { alternate } from '../measurement/rounds.ts';
import { pick } from './pick.ts';
import { timedVariant } from './timed-variant.ts';

const TRANSACTIONS = 64;
const OURS = 'ours';
const KIT = '@solana/kit';
const WEB3 = '@solana/web3.js';

/** The bytes of an unsigned transaction with the shape of a swap; the peers are two libraries. */
export const compilation: BenchCase = async ({ rounds, roundMs, peers = true }) => {
  const [wallet, ...others] = Array.from({ length: 16 }, randomAddress);
  const plans = Array.from({ length: TRANSACTIONS }, () => planOf(wallet ?? '', others));
  const samples = plans.map((plan) => ({ plan, bytes: compileWithKit(plan) }));
  const variant = (name: string, compile: (plan: TransactionPlan) => Uint8Array) =>
    timedVariant(name, roundMs, (index) => {
      const { plan, bytes } = pick(samples, index);
      return equalBytes(compile(plan), bytes);
    });
  const figures = await alternate(
    [
      variant(OURS, compileTransaction),
      ...(peers
        ? [
            variant(KIT, compileWithKit),
            // Its accounts have another order.
            timedVariant(WEB3, roundMs, (index) => {
              const { plan, bytes } = pick(samples, index);
              return compileWithWeb3(plan).byteLength === bytes.byteLength;
            }),
          ]
        : []),
    ],
    rounds,
  );
  const time = (of: string) => ratio(figures, of, OURS, 'microsecondsPerCall');
  return {
    name: 'a v0 transaction of eight instructions and 18 accounts',
    figures,
    ratios: peers ? { 'time, kit / ours': time(KIT), 'time, web3.js / ours': time(WEB3) } : {},
  };
};

/** Each has an account that no other has, as the reference of a swap. */
function planOf(wallet: string, others: readonly string[]): TransactionPlan {
  const [first = '', second = '', third = '', ...accounts] = others;
  const data = new Uint8Array(12);
  const uses = accounts.map((address, at) => (at % 2 === 0 ? writable(address) : readonly(address)));
  const call = (program: string, count: number) => ({ program, accounts: uses.slice(0, count), data });
  const opening = call(first, 4);
  return {
    version: 'v0',
    feePayer: wallet,
    instructions: [
      { ...opening, accounts: [...opening.accounts, readonly(randomAddress())] },
      call(second, 2),
      call(third, 1),
      call(first, 5),
      { ...call(third, 12), accounts: [...uses, signer(wallet)] },
      call(second, 3),
    ],
    blockhash: randomAddress(),
    computeUnitLimit: 400_000,
    computeUnitPrice: 1_000n,
  };
}
