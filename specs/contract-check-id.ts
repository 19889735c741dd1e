/**
 * The part after the `#` in the id of a check made from a contract, which distinguishes it from a check of the suites. One
 * of the integrator's own requirements may be titled as if it were such a check.
 */
export const contractMark = 'contract-';
