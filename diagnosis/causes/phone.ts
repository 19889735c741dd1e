import type { Cause } from '../cause.ts';
import { phoneDialogueCauses } from './phone-dialogue.ts';
import { phoneFrameCauses } from './phone-frames.ts';
import { phoneSetUpCauses } from './phone-set-up.ts';

/** Causes in phone calls: set-up, frames and dialogue. */
export const phoneCauses = {
  ...phoneSetUpCauses,
  ...phoneFrameCauses,
  ...phoneDialogueCauses,
} as const satisfies Record<`phone/${string}`, Cause>;
