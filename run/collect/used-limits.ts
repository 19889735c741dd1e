import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { trafficSent } from '../../harness/wire/traffic-counts.ts';
import type { Report } from '../../specs/generated/types.ts';

/** The limits of a config with what was sent so far; `undefined` without limits. */
export function usedLimits({ limits, chat, phone }: ResolvedConfig): Report['limits'] {
  if (!limits) return undefined;
  const sent = trafficSent(limits);
  const { messages, calls, perMinute } = limits;
  return {
    ...(chat && { messages: { sent: sent.messages, ...(messages !== undefined && { most: messages }) } }),
    ...(phone && { calls: { sent: sent.calls, ...(calls !== undefined && { most: calls }) } }),
    ...(perMinute !== undefined && { perMinute }),
  };
}
