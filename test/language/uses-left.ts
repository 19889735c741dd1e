/**
 * Uses of replaced terms in each directory (root files: `.`) that are still to be rewritten. They may only become fewer.
 *
 * - generators: descriptions of contract interactions, from which check ids are made
 * - run: names of shell words
 */
export const usesLeft: Readonly<Record<string, number>> = {
  generators: 7,
  run: 2,
};
