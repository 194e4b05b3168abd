import { problemArea } from './problem-area.ts';

export const intentsProblems = problemArea('intents', 'Operations and transaction intents', {
  operation_not_found: {
    status: 404,
    title: 'Operation not found',
    detail: 'No operation of this account has this id.',
    when: ['The id is unknown, or the operation belongs to another account.'],
    action: 'Use a key of the account that started the operation.',
  },
  operation_not_cancellable: {
    status: 409,
    title: 'Operation not cancellable',
    detail: 'The operation has ended, or its account did not start it.',
    when: [
      'It has succeeded or failed: the last step was made before the cancellation.',
      'The operator or the platform has started it.',
    ],
    action: 'Read the operation with `getOperation`: its result or its error is final.',
    context: {
      kind: { meaning: 'kind of the operation', example: 'audience_export' },
      status: { meaning: 'status of the operation', example: 'succeeded' },
    },
  },
  operation_limit_reached: {
    status: 409,
    title: 'Operation limit reached',
    detail:
      'The account has the maximum number of unfinished operations of this kind, or their files have the maximum size.',
    meaning:
      'The account, or its endpoint, has the maximum number of unfinished operations of this kind, or its files have the maximum size.',
    when: [
      'A sixth export of an audience is requested while five are queued or running.',
      'A recovery of a webhook endpoint is requested while another recovery of that endpoint is queued or running.',
      'The export files of the account take 2 GiB, or would exceed that with the file that is being written: then it is the error of that operation.',
    ],
    action:
      'Wait until one has ended: `listOperations` with `kind` and `status` shows them. Files are deleted 7 days after their export: the first at `freeAt`.',
    context: {
      limit: { meaning: 'maximum number of unfinished operations of the kind', example: 5 },
      keptBytes: { meaning: 'current size of the files, in place of `limit`', example: '2147484672' },
      keptBytesMax: { meaning: 'maximum size of the files', example: '2147483648' },
      freeAt: { meaning: 'when the oldest file is deleted', example: '2026-11-28T10:00:00.000Z' },
    },
  },
  transaction_intent_not_found: {
    status: 404,
    title: 'Transaction intent not found',
    detail: 'No transaction intent of this account has this id.',
    when: ['The id is unknown, or the intent was prepared for another account.'],
    action:
      'Use the `intentId` from the operation that prepared the transaction, with a key of the same account.',
  },
  transaction_intent_not_prepared: {
    status: 409,
    title: 'Intent not prepared',
    detail: 'The intent no longer awaits a signature.',
    when: [
      'It was submitted before, by you or by another worker, and is now submitted, confirmed or failed.',
    ],
    action:
      'Read the intent. `submitted` and `confirmed` mean that your transaction is on its way or has landed: do not sign again.',
    context: { status: { meaning: 'current status of the intent', example: 'submitted' } },
  },
  transaction_intent_expired: {
    status: 409,
    title: 'Intent expired',
    detail: 'The blockhash window of the intent has closed; a fresh intent is needed.',
    meaning:
      'The transaction can no longer land: its blockhash window has closed, or `expiresAt` has passed.',
    when: [
      'Signing took longer than the window, about half a minute on mainnet.',
      'The block height of the chain is above `lastValidBlockHeight`.',
    ],
    action:
      'Have a fresh intent prepared, and sign that. The old signature is useless: it covers the old blockhash.',
  },
  transaction_intent_version_conflict: {
    status: 412,
    title: 'Version conflict',
    detail: 'The version is not the current version of the intent.',
    when: [
      '`If-Match` holds another version than the intent has.',
      'The body also holds `version`, and it differs from `If-Match`.',
    ],
    action: 'Read the intent and look at its `status` before you submit with the new `ETag`.',
    context: { currentVersion: { meaning: 'current version of the intent', example: 2 } },
  },
  landing_report_range_invalid: {
    status: 422,
    title: 'Invalid range of a report',
    detail: 'The range is empty, reversed, too long, or has too many intents.',
    when: [
      '`from` is the same as `to`, or after it.',
      'More than 31 days lie between them.',
      'The account submitted more than 50,000 of the intents that it prepared in the range.',
    ],
    action: 'Ask for shorter ranges: begin each at the `to` of the one before.',
    context: {
      reason: {
        meaning: '`empty`, `too_long`, `too_many`, or `out_of_range` (years outside 1970 to 9999)',
        example: 'too_many',
      },
    },
  },
  transaction_intent_tampered: {
    status: 422,
    title: 'Transaction tampered',
    detail: 'The signed transaction differs from the prepared one.',
    meaning:
      'The signed transaction is not the one that was prepared. Only the signature of `expectedSigner` may be added; every other byte must stay.',
    when: [
      'A wallet or library rebuilt the message: other fee payer, blockhash, compute budget, account order or lookup tables.',
      'A signature of another signer was removed, or replaced by bytes other than zeros.',
    ],
    action:
      'Decode `serializedTransaction`, sign the message bytes as they are, put the 64 bytes into the slot of `expectedSigner`, and encode again. Turn off automatic priority fees in the wallet. `causes` names `transaction_intent_wrong_signer` when the new message does not even involve the expected signer.',
  },
  transaction_intent_wrong_signer: {
    status: 422,
    title: 'Wrong signer',
    detail: 'The expected signer is another wallet.',
    meaning: 'The transaction is signed, but by another wallet than `expectedSigner`.',
    when: [
      "The key's pinned wallet is not the `expectedSigner` of the intent.",
      'The signature verifies under another wallet of the account.',
    ],
    action: 'Sign with `expectedSigner`, and submit with a key that is pinned to this wallet.',
  },
  transaction_intent_invalid_signature: {
    status: 422,
    title: 'Invalid signature',
    detail: 'The signature of the expected signer does not verify.',
    meaning: 'The signature of `expectedSigner` is missing or does not verify over the prepared message.',
    when: [
      'The signature slot is still zero, e.g. because `serializedTransaction` was sent back unsigned.',
      'The signed bytes are not the message bytes: the whole transaction, its hash, or its base64 text.',
    ],
    action:
      'Sign the message bytes (everything but the signatures) with Ed25519. The check is as strict as the one of the chain.',
  },
});
