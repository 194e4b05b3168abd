/** What an operator does about a server that answers and does not do its work with streams (decisions/0105). */
const REMEDY = 'look at its disk and its log; make room, then restart it';

/** How a server that answers may fail its streams. A full disk causes both, by the version of the server. */
export const storeFaults = {
  silent: `the server does not answer for its streams: ${REMEDY}`,
  stores_nothing: `the server acknowledges no message of its streams: ${REMEDY}`,
} as const;
export type StoreFault = keyof typeof storeFaults;
