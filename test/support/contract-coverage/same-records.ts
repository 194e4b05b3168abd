/** Records that show the fields of another one, by the same function: their fields count as those of that one. */
const bases: ReadonlyMap<string, string> = new Map([
  ['CancelledOperation', 'Operation'],
  ['CreatedWebhookEndpoint', 'WebhookEndpoint'],
  ['FeeClaims.leftOut[].programError', 'ProgramError'],
  ['LaunchQuote.cost', 'LaunchCost'],
  ['LaunchedToken', 'Token'],
  ['ListedFeeDistribution', 'FeeDistribution'],
  ['Order.landed', 'TransactionIntent.landed'],
  ['Order.refusal.programError', 'ProgramError'],
  ['PreparedLaunch', 'Launch'],
  ['PreparedOrder', 'Order'],
  ['PreparedOrderSlot', 'OrderSlot'],
  ['TransactionIntentSummary', 'TransactionIntent'],
  ['message:token', 'Token'],
]);

/** The name with which the fields inside a record begin. */
export const recordName = (name: string): string => bases.get(name) ?? name;
