/**
 * What the ids of checks that contracts make have after the `#`, so that nobody takes one for a check of the suites. One
 * of the integrator's own requirements may be titled as if it were such a check.
 */
export const contractMark = 'contract-';
