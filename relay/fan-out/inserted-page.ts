/** The delivery rows that one statement inserted for a page of endpoints. */
export interface InsertedPage {
  inserted: number;
  /** The last endpoint of a full page, null when there are no more. */
  lastId: string | null;
}
