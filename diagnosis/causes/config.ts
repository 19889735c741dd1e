import type { Cause } from '../cause.ts';

/** Causes about the set-up on our side: address and secret as they were given. */
export const configCauses = {} as const satisfies Record<`config/${string}`, Cause>;
