/** How far a pause of the retry schedule is shortened or lengthened at random, as a part of it (contract/delivery#retries). */
export const RETRY_JITTER_RATIO = 0.2;
