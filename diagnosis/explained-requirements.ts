// Requirements that fail for a cause, by slug.

/** All requirements of the probe. */
export const everyRequirement = /./;
export const everyRefusal = /^refuses-/;
export const everyAcceptance = /^accepts-/;
/** Requirements to accept every valid delivery, whatever it contains. */
export const everyValidDelivery = /^(?:accepts-|answers-(?:any|every|long|messages))/;
export const everyParallel = /at-once|in-parallel/;
