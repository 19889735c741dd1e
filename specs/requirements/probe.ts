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
 * Why no probe would find more than the failed check says. In the order of the values: the received value is the whole
 * finding; several answers are compared, and the message shows where they differ; only the order of several events
 * decides; the AI decides which skills it names; only the preceding exchanges, which the evidence shows, reproduce it.
 */
export type UnprobedReason =
  'message-shows-it' | 'answers-are-compared' | 'order-decides' | 'ai-decides' | 'needs-earlier-exchanges';
