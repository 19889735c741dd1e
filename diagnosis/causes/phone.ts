import type { Cause } from '../cause.ts';
import { phoneDialogueCauses } from './phone-dialogue.ts';
import { phoneFrameCauses } from './phone-frames.ts';
import { phoneSetUpCauses } from './phone-set-up.ts';

/** Causes about calls: how they begin, what the AI sends, and how they go on. */
export const phoneCauses = {
  ...phoneSetUpCauses,
  ...phoneFrameCauses,
  ...phoneDialogueCauses,
} as const satisfies Record<`phone/${string}`, Cause>;
