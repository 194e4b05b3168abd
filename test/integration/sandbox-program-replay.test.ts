import { expect, test } from 'bun:test';
import {
  type RecordedExecution,
  type RecordedHistory,
  readRecordedHistories,
} from '../support/recorded-histories.ts';
import { ReplayedChain } from '../support/replayed-chain.ts';

const CUT = 'Log truncated';

/** Compute units are the compiled programs' own, and so are the places in their sources that errors name. */
function comparableLogs(logs: readonly string[]): string[] {
  return logs
    .filter((line) => !/ consumed \d+ of \d+ compute units$/.test(line) && !/^Program log: debug /.test(line))
    .map((line) => line.replace(/AnchorError thrown in \S+\./, 'AnchorError occurred.'));
}

/** The amount as a float is rounded by whoever shows it; the amounts in digits beside it are exact. */
function withoutFloat<Balance extends { uiTokenAmount: object }>(balance: Balance): Balance {
  return { ...balance, uiTokenAmount: { ...balance.uiTokenAmount, uiAmount: null } };
}

function expectSame(place: string, repeated: RecordedExecution, recorded: RecordedExecution): void {
  const logs = comparableLogs(repeated.meta.logMessages);
  // The chain cuts long logs, as a validator does; the recording is whole.
  const shown = logs.includes(CUT) ? logs.slice(0, logs.indexOf(CUT)) : logs;
  const wanted = comparableLogs(recorded.meta.logMessages);
  expect({ place, logs: shown }).toEqual({
    place,
    logs: shown === logs ? wanted : wanted.slice(0, shown.length),
  });
  const outcome = ({ meta }: RecordedExecution) => ({
    place,
    err: meta.err,
    fee: meta.fee,
    // Calls of programs and events, byte for byte.
    innerInstructions: meta.innerInstructions,
    preBalances: meta.preBalances,
    postBalances: meta.postBalances,
    postTokenBalances: meta.postTokenBalances.map(withoutFloat),
  });
  expect(outcome(repeated)).toEqual(outcome(recorded));
}

function expectAccounts(replayed: ReplayedChain, { accountsAfter }: RecordedHistory): void {
  for (const [address, after] of Object.entries(accountsAfter)) {
    const account = replayed.ledger.vm.getAccount(address);
    const hex = Buffer.from(account?.data ?? []).toString('hex');
    expect({ address, owner: account?.owner, lamports: Number(account?.lamports), hex }).toEqual({
      address,
      owner: after.owner,
      lamports: after.lamports,
      hex: Buffer.from(after.dataBase64, 'base64').toString('hex'),
    });
  }
}

for (const history of readRecordedHistories()) {
  test(`${history.file}: its transactions do on the sandbox chain what the compiled programs did`, async () => {
    const replayed = await ReplayedChain.start(history);
    try {
      for (const [step, { transaction, what = '' }] of history.steps.entries())
        expectSame(`step ${step}: ${what}`, replayed.repeat(step), transaction);
      expectAccounts(replayed, history);
    } finally {
      await replayed.stop();
    }
  });
}
