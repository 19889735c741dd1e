import type { Cause } from '../cause.ts';

/** Causes about the answer to a request or upgrade, before anything of the interface is looked at. */
export const httpCauses = {} as const satisfies Record<`http/${string}`, Cause>;
