/** One endpoint for each route of incoming data: an answer, a compressed answer, a callback, a frame of a call. */
export const hostileSample: readonly string[] = ['chat-null', 'crm-nested-bomb', 'callback-deep', 'phone-deep-frame'];
