import type { Cause } from '../cause.ts';

/** Causes about signatures that are refused or accepted wrongly. */
export const signatureCauses = {} as const satisfies Record<`signature/${string}`, Cause>;
