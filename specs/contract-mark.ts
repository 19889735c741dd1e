/** Begins the slug of a check that a contract makes. `source` of a check decides whether it is one. */
export const contractMark = 'contract-';
