import type { Arguments, Schemas } from '../../operations.ts';
import { sol, withAmount } from '../amounts.ts';
import { type Command, CommandFailed, defined } from '../command.ts';
import type { Values } from '../kit/command.ts';
import { choices, chosen, rawAmount, text } from '../kit/option.ts';
import { idempotency, readKeyFile, sending, sendingOf, signing } from '../sending.ts';

const KINDS = [
  'creator_trading_fee',
  'partner_trading_fee',
  'creator_surplus',
  'partner_surplus',
  'creator_migration_fee',
  'partner_migration_fee',
  'leftover',
  'position_fee',
] as const;

export const claimCommand: Command = {
  name: 'claim',
  summary:
    'Claim the fees of your wallet: prepare, sign with a key file, submit, and wait until all have landed',
  details:
    'Claims everything that the wallet of the key can claim, over all its tokens, in as few transactions as possible. It ' +
    'ends with exit code 1 when one of them did not confirm: that one paid nothing, and the others are paid. Under an ' +
    'idempotency key the same line continues the same claims for 24 hours.',
  options: {
    mints: text('only these tokens', { format: 'mint,…' }),
    kinds: choices('only these kinds', KINDS),
    minimum: rawAmount('leaves out each claim that pays less in SOL', 'lamports'),
    ...signing,
    ...idempotency,
    ...sending,
  },
  examples: [
    '--key-file wallet.json',
    '--kinds creator_trading_fee,position_fee --minimum 100000 --key-file wallet.json',
  ],
  async run({ client, output, signal, options }) {
    const parameters = { ...requestOf(options), ...sendingOf(options) };
    const signer = await readKeyFile(options);
    const onStep = (step: string, record: Schemas['FeeClaims'] | Schemas['TransactionIntent']) =>
      output.note(
        'intents' in record
          ? `${step}: ${record.intents.length} transactions, ${withAmount(record.claimedLamports, sol)}`
          : `${step}: intent ${record.id}`,
      );
    const { claims, intents } = await client().claimFees(parameters, signer, {
      signal,
      onStep,
      idempotencyKey: options['idempotency-key'],
    });
    const rows = claims.intents.map(({ claims: made, claimedLamports, intent }, at) => ({
      intentId: intent.id,
      status: intents[at]?.status,
      transactionSignature: intents[at]?.transactionSignature ?? null,
      claims: made.length,
      claimedLamports,
    }));
    output.table(
      rows,
      ['intentId', 'status', 'claims', 'claimedLamports', 'transactionSignature'],
      (row) => ({
        ...row,
        claimedLamports: withAmount(row.claimedLamports, sol),
      }),
    );
    for (const { claim, reason, programError } of claims.leftOut)
      output.note(`left out: ${claim.kind} of ${claim.mintAddress}: ${programError?.name ?? reason}`);
    if (claims.remaining.length > 0 || claims.nextMint !== null)
      output.note('there is more to claim: repeat the command');
    const failed = intents.filter(({ status }) => status !== 'confirmed');
    if (failed.length > 0)
      throw new CommandFailed(`${failed.length} of ${intents.length} transactions did not confirm`);
  },
};

function requestOf({ mints, kinds, minimum }: Values): Arguments<'createFeeClaims'> {
  return defined({
    mints: mints?.split(','),
    kinds: kinds === undefined ? undefined : chosen(kinds, KINDS),
    minimumLamports: minimum,
  });
}
