/** Uses of replaced terms in each directory (root files: `.`) that are still to be rewritten. They may only become fewer. */
export const usesLeft: Readonly<Record<string, number>> = {
  bench: 1,
  bin: 34,
  contracts: 9,
  diagnosis: 53,
  docs: 6,
  examples: 17,
  generators: 17,
  harness: 7,
  reports: 62,
  run: 103,
  scripts: 4,
  service: 9,
  simulate: 53,
  specs: 153,
  suites: 4,
  test: 17,
};
