/**
 * Groups messages into batches of those that have arrived, at most `max`: it waits only for the first message
 * of a batch. Ends when the iterator ends.
 */
export async function* messageBatches<Message>(
  messages: AsyncIterable<Message>,
  max: number,
): AsyncGenerator<Message[], void> {
  const iterator = messages[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    const batch: Message[] = [];
    let result: IteratorResult<Message> | undefined = await next;
    while (result !== undefined && result.done !== true) {
      batch.push(result.value);
      next = iterator.next();
      result = batch.length < max ? await Promise.race([next, nextTurn()]) : undefined;
    }
    if (batch.length > 0) yield batch;
    if (result?.done === true) return;
  }
}

function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => resolve(undefined)));
}
