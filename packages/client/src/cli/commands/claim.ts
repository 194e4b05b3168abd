import type { Arguments, Schemas } from '../../operations.ts';
import { SOL_DECIMALS, type Unit, withAmount } from '../amounts.ts';
import { type Command, type Invocation, textOf } from '../command.ts';
import { CommandFailed, UsageError } from '../failures.ts';
import { idempotencyKeyOf, idempotencyOption } from '../idempotency-key.ts';
import { keyFileOption, readKeyFile } from '../key-file.ts';
import { sendingOf, sendingOptions } from '../sending.ts';

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
type Kind = (typeof KINDS)[number];

const sol: Unit = { name: 'sol', decimals: SOL_DECIMALS };

export const claimCommand: Command = {
  name: 'claim',
  summary:
    'Claim the fees of your wallet: prepare, sign with a key file, submit, and wait until all have landed',
  details:
    'Claims everything that the wallet of the key can claim, over all its tokens, in as few transactions as possible. It ' +
    'ends with exit code 1 when one of them did not confirm: that one paid nothing, and the others are paid. Under an ' +
    'idempotency key the same line continues the same claims for 24 hours.',
  arguments: [],
  options: {
    mints: { kind: 'text', value: 'MINTS', help: 'only these tokens, separated by commas' },
    kinds: {
      kind: 'text',
      value: 'KINDS',
      help: `only these kinds, separated by commas: ${KINDS.join(', ')}`,
    },
    minimum: { kind: 'text', value: 'LAMPORTS', help: 'leaves out each claim that pays less in SOL' },
    'key-file': keyFileOption,
    ...idempotencyOption,
    ...sendingOptions,
  },
  examples: [
    'launchwire claim --key-file wallet.json',
    'launchwire claim --kinds creator_trading_fee,position_fee --minimum 100000 --key-file wallet.json',
  ],
  async run(invocation) {
    const { client, output, signal } = invocation;
    const idempotencyKey = idempotencyKeyOf(invocation);
    const parameters = { ...requestOf(invocation), ...sendingOf(invocation) };
    const signer = await readKeyFile(textOf(invocation, 'key-file'));
    const onStep = (step: string, record: Schemas['FeeClaims'] | Schemas['TransactionIntent']) =>
      output.note(
        'intents' in record
          ? `${step}: ${record.intents.length} transactions, ${withAmount(record.claimedLamports, sol)}`
          : `${step}: intent ${record.id}`,
      );
    const { claims, intents } = await client().claimFees(parameters, signer, {
      signal,
      onStep,
      idempotencyKey,
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

function requestOf({ options }: Invocation): Arguments<'createFeeClaims'> {
  const { mints, kinds, minimum } = options;
  if (typeof minimum === 'string' && !/^(0|[1-9]\d{0,19})$/.test(minimum))
    throw new UsageError(`--minimum is a whole number of lamports, not "${minimum}"`);
  return {
    ...(typeof mints === 'string' && { mints: mints.split(',') }),
    ...(typeof kinds === 'string' && { kinds: kinds.split(',').map(kindOf) }),
    ...(typeof minimum === 'string' && { minimumLamports: minimum }),
  };
}

function kindOf(text: string): Kind {
  const kind = KINDS.find((one) => one === text);
  if (kind === undefined) throw new UsageError(`--kinds has ${KINDS.join(', ')}, not "${text}"`);
  return kind;
}
