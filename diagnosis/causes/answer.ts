import type { Cause } from '../cause.ts';

/** Causes about what an answer holds. */
export const answerCauses = {} as const satisfies Record<`answer/${string}`, Cause>;
