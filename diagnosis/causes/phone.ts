import type { Cause } from '../cause.ts';

/** Causes about dialogues on the phone. */
export const phoneCauses = {} as const satisfies Record<`phone/${string}`, Cause>;
