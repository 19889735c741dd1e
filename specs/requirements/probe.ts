/** Probes that find the cause of a failed requirement, cheapest first by what they usually send and wait for. */
export const probeNames = [
  'token',
  'upgrade',
  'weakness',
  'signature',
  'window',
  'answer',
  'call',
  'payload',
  'dialogue',
  'timing',
  'deduplication',
  'callback',
] as const;

export type ProbeName = (typeof probeNames)[number];

/**
 * Why no probe would find more than the failed check says: the received value is the whole finding, several answers
 * are compared and the message shows where they differ, only the order of several events decides, the AI decides which
 * skills it names, or only the preceding exchanges reproduce it, which the evidence of the check shows completely.
 */
export type UnprobedReason =
  'message-shows-it' | 'answers-are-compared' | 'order-decides' | 'ai-decides' | 'needs-earlier-exchanges';
