import bs58 from 'bs58';
import { JUP_LOCK, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import {
  accountsOf,
  readonly,
  requireAccount,
  signer,
  tokenInterface,
  writable,
} from '../anchor/accounts.ts';
import { anchorProgram, type Handler, notComputed, sighash } from '../anchor/anchor-program.ts';
import { type ArgumentReader, BorshWriter } from '../anchor/borsh.ts';
import { event } from '../cpi/invoke.ts';
import { createAccount } from '../cpi/system-program.ts';
import { transferTokens } from '../cpi/token-program.ts';
import { derivedAddress } from '../derived-address.ts';
import { loadMintDecimals } from '../token-state.ts';

const ESCROW_BYTES = 8 + 288;

const createVestingEscrow: Handler = function* (call, args) {
  const accounts = accountsOf(call, JUP_LOCK, {
    base: signer,
    escrow: writable,
    token_mint: readonly,
    escrow_token: writable,
    sender: { signer: true, writable: true },
    sender_token: writable,
    recipient: readonly,
    token_program: tokenInterface,
    system_program: readonly,
    event_authority: readonly,
    program: readonly,
  });
  const terms = readTerms(args);
  const { base, escrow, token_mint: mint, recipient, sender, token_program: tokenProgram } = accounts;
  const derived = derivedAddress(JUP_LOCK, 'escrow', bs58.decode(base.address));
  requireAccount(escrow.address === derived.address, 'ConstraintSeeds', escrow);
  yield* createAccount(call, {
    address: escrow.address,
    payer: sender.address,
    owner: JUP_LOCK,
    dataBytes: ESCROW_BYTES,
    derived,
  });
  const tokenFlag = tokenProgram.address === TOKEN_2022 ? 1 : 0;
  const numbers = [terms.cliffTime, terms.frequency, terms.cliffAmount, terms.amountPerPeriod, terms.periods];
  const fields = new BorshWriter()
    .bytes(sighash('account', 'VestingEscrow'))
    .address(recipient.address, mint.address, sender.address, base.address)
    .u8(derived.seeds.at(-1)?.[0] ?? 0, terms.updateRecipientMode, terms.cancelMode, tokenFlag)
    .bytes(new Uint8Array(4))
    .u64(...numbers)
    .u64(0n) // claimed
    .u64(terms.startTime)
    .finish();
  yield { kind: 'write', account: escrow.index, offset: 0, bytes: fields };
  yield transferTokens({
    tokenProgram: tokenProgram.address,
    from: accounts.sender_token.address,
    to: accounts.escrow_token.address,
    mint: mint.address,
    decimals: loadMintDecimals(call, mint),
    amount: terms.cliffAmount + terms.amountPerPeriod * terms.periods,
    authority: sender.address,
  });
  yield event(JUP_LOCK, 'EventCreateVestingEscrow', (to) =>
    to
      .u64(terms.startTime, ...numbers)
      .u8(terms.updateRecipientMode, terms.cancelMode)
      .address(recipient.address, escrow.address),
  );
};

function readTerms(args: ArgumentReader) {
  const terms = {
    startTime: args.u64(),
    cliffTime: args.u64(),
    frequency: args.u64(),
    cliffAmount: args.u64(),
    amountPerPeriod: args.u64(),
    periods: args.u64(),
    updateRecipientMode: args.u8(),
    cancelMode: args.u8(),
  };
  if (args.bool()) throw notComputed('escrows for tokens with a transfer hook');
  return terms;
}

/** The locker program with the one instruction that the curve calls: it moves tokens into a vesting escrow. */
export const lockerProgram = anchorProgram(JUP_LOCK, { create_vesting_escrow_v2: createVestingEscrow }, [
  'create_vesting_escrow',
  'create_vesting_escrow_metadata',
  'create_root_escrow',
  'create_vesting_escrow_from_root',
  'update_vesting_escrow_recipient',
  'cancel_vesting_escrow',
  'close_vesting_escrow',
  'claim',
  'claim_v2',
  'claim_v3',
]);
