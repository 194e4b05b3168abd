/**
 * Time from a submission until its broadcast job is due. The process that commits the submission sends it at
 * once, and postpones the job when a node has accepted it. Until then the worker leaves the job alone.
 */
export const FIRST_DUE_AFTER_MS = 1_000;
