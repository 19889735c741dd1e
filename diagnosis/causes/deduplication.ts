import type { Cause } from '../cause.ts';

/** Causes about what an endpoint takes for the same delivery. */
export const deduplicationCauses = {} as const satisfies Record<`deduplication/${string}`, Cause>;
