import type { Cause } from '../cause.ts';

/** Causes about members and values that an endpoint cannot take. */
export const payloadCauses = {} as const satisfies Record<`payload/${string}`, Cause>;
