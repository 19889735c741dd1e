import type { Cause } from '../cause.ts';

/** Causes about certificates and protocol versions. */
export const tlsCauses = {} as const satisfies Record<`tls/${string}`, Cause>;
