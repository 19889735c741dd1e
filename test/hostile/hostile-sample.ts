/** A compressed answer and a frame of a call. */
export const hostileSample: readonly string[] = ['crm-nested-bomb', 'phone-deep-frame'];
