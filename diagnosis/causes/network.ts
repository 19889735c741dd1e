import type { Cause } from '../cause.ts';

/** Causes about names, addresses and connections. */
export const networkCauses = {} as const satisfies Record<`network/${string}`, Cause>;
