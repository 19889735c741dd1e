import type { ConfiguredLimits } from '../../specs/generated/types.ts';

/** The limits of a config, with what was sent so far. Threads of one process share it. */
export interface TrafficLimitSettings extends ConfiguredLimits {
  used: SharedArrayBuffer;
}

/** The counts of the limits. */
export type LimitedKind = 'messages' | 'calls';

/** Cells of the counts; the slots of `perMinute` follow. */
export const cells = { messages: 0, calls: 1, times: 2 } as const;

/** The limits of a config, with nothing sent yet. */
export function withoutTraffic(limits: ConfiguredLimits): TrafficLimitSettings {
  const length = cells.times + (limits.perMinute ?? 0);
  return { ...limits, used: new SharedArrayBuffer(length * BigInt64Array.BYTES_PER_ELEMENT) };
}

/** Limits and counts for another process, which cannot share them. */
export interface SentLimits {
  limits: ConfiguredLimits;
  counts: Uint8Array;
}

/** Copies limits and counts for another process. */
export function copyLimits({ used, ...limits }: TrafficLimitSettings): SentLimits {
  return { limits, counts: Uint8Array.from(new Uint8Array(used)) };
}

/** Limits with the counts of another process. */
export function withCounts({ limits, counts }: SentLimits): TrafficLimitSettings {
  const settings = withoutTraffic(limits);
  setCounts(settings, counts);
  return settings;
}

/** Replaces the counts by those of another process, which has continued them. */
export function setCounts({ used }: TrafficLimitSettings, counts: Uint8Array): void {
  new Uint8Array(used).set(counts);
}

/** Counts what was sent before. */
export function addTraffic({ used }: TrafficLimitSettings, sent: Readonly<Record<LimitedKind, number>>): void {
  const counts = new BigInt64Array(used);
  for (const kind of ['messages', 'calls'] as const) Atomics.add(counts, cells[kind], BigInt(sent[kind]));
}

/** How much of the limits was used. */
export function trafficSent({ used }: TrafficLimitSettings): Record<LimitedKind, number> {
  const counts = new BigInt64Array(used);
  const read = (cell: number) => Number(Atomics.load(counts, cell));
  return { messages: read(cells.messages), calls: read(cells.calls) };
}
