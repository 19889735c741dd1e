// Requirements that fail for a cause, by slug.

/** All requirements of the probe. */
export const everyRequirement = /./;
export const everyRefusal = /^refuses-/;
export const everyAcceptance = /^accepts-/;
export const everyParallel = /at-once|in-parallel/;
