import type { Cause } from '../cause.ts';

/** Causes about what should follow a 202. */
export const callbackCauses = {} as const satisfies Record<`callback/${string}`, Cause>;
