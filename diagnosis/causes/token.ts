import type { Cause } from '../cause.ts';

/** Causes about bearer tokens of the CRM webhook. */
export const tokenCauses = {} as const satisfies Record<`token/${string}`, Cause>;
