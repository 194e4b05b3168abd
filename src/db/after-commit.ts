import type { Database, Transaction } from './client.ts';

type Action = () => void;
const actions = new WeakMap<Transaction, Map<string, Action>>();

/**
 * Has `action` run once the transaction has committed; it never runs when the transaction does not. Of several under one
 * key the last one runs. An action must not throw.
 */
export function afterCommit(transaction: Transaction, key: string, action: Action): void {
  const kept = actions.get(transaction) ?? new Map<string, Action>();
  kept.set(key, action);
  actions.set(transaction, kept);
}

type Work = (transaction: Transaction) => unknown;
type Begin = (options: string, work: Work) => Promise<unknown>;

/** Makes transactions of a pool run what `afterCommit` was given. */
export function runActionsAfterCommit(database: Database): void {
  const begin: Begin = database.begin.bind(database);
  const beginWithActions = async (...parameters: [work: Work] | [options: string, work: Work]) => {
    const [options, work] = parameters.length === 1 ? ['', parameters[0]] : parameters;
    let kept: ReadonlyMap<string, Action> | undefined;
    const value = await begin(options, async (transaction) => {
      const outcome = await work(transaction);
      kept = actions.get(transaction);
      return outcome;
    });
    for (const action of kept?.values() ?? []) action();
    return value;
  };
  Object.assign(database, { begin: beginWithActions });
}
