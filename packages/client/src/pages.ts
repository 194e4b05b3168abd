/** The response of a list operation. */
export interface AnyPage<Item> {
  data: readonly Item[];
  page: { hasMore: boolean; nextCursor: string | null };
}

/** Page after page, beginning with the one of `cursor`, or the first. A page is requested when the loop asks for it. */
export async function* pagesFrom<Item, Shape extends AnyPage<Item>>(
  read: (cursor: string | undefined) => Promise<Shape>,
  cursor: string | undefined,
): AsyncGenerator<Shape, void, undefined> {
  let at = cursor;
  for (;;) {
    const page = await read(at);
    yield page;
    // A list that grows at its end has a cursor on its last page too, for later items.
    const { hasMore, nextCursor } = page.page;
    if (!hasMore || nextCursor === null) return;
    if (nextCursor === at)
      throw new Error('the service returned the cursor of the page itself as the next one');
    at = nextCursor;
  }
}

/** Item after item of the pages. */
export async function* itemsOf<Item>(
  pages: AsyncIterable<AnyPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}
