/** Source of the current time, passed in so that rules stay pure and tests control it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
