type Action = () => void;
/** The actions of each transaction. */
const actions = new WeakMap<object, Map<string, Action>>();

/**
 * Runs `action` after the transaction has committed, and never without a commit. Only the last action of a
 * key runs. An action must not throw.
 */
export function afterCommit(transaction: object, key: string, action: Action): void {
  const kept = actions.get(transaction) ?? new Map<string, Action>();
  kept.set(key, action);
  actions.set(transaction, kept);
}

type Work = (transaction: object) => unknown;
type Begin = (options: string, work: Work) => Promise<unknown>;

/** Wraps the `begin` of a pool so that the actions of its transactions run. */
export function withActions(begin: Begin) {
  return async (...parameters: [work: Work] | [options: string, work: Work]): Promise<unknown> => {
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
}
