import type { Cause } from '../cause.ts';

/** Causes about answers that come too late. */
export const timingCauses = {} as const satisfies Record<`timing/${string}`, Cause>;
