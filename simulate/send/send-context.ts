import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { ServiceEvent } from '../../service/service-events.ts';
import type { SimulatedService } from '../../service/simulated-service.ts';
import type { Override } from './override.ts';

/** The context of one `send`. */
export interface SendContext {
  service: SimulatedService;
  /** Reduced to the surface of the event. */
  config: ResolvedConfig;
  overrides: readonly Override[];
  /** The JSON of `--body`; `undefined` without the flag, or if the file is not JSON. */
  body: unknown;
  /** Seconds to wait for a callback or reply; `undefined`: the default. */
  wait: number | undefined;
  /** Reports progress, such as a wait, while it lasts. */
  report: (line: string) => void;
}

/** The result of one `send`. */
export interface SendResult {
  /** The effects in the service, a sentence each. */
  sentences: readonly string[];
  /** The service accepts the answer. */
  isUsable: boolean;
  /** Milliseconds within which the endpoint must answer. */
  limitMs?: number;
  /** Notes about the request, such as fields that the service cannot represent. */
  notes?: readonly string[];
}

/** Default wait for a callback or reply after a 202, in seconds. */
export const usualWaitSeconds = 10;

/**
 * The first matching event of the service, including earlier ones; `undefined` if there is none within `seconds`. `onWait`
 * is called if there is none yet.
 */
export async function nextEvent(
  { events }: SimulatedService,
  fits: (event: ServiceEvent) => boolean,
  seconds: number,
  onWait?: () => void,
): Promise<ServiceEvent | undefined> {
  const already = events.kept.find(fits);
  if (already) return already;
  if (seconds > 0) onWait?.();
  return await new Promise((resolve) => {
    const off = events.listen((event) => {
      if (fits(event)) done(event);
    });
    const timer = setTimeout(() => done(undefined), seconds * 1000);
    const done = (event: ServiceEvent | undefined) => {
      clearTimeout(timer);
      off();
      resolve(event);
    };
  });
}

/** `10 s`, `0.5 s`. */
export function formatSeconds(seconds: number): string {
  return `${Number(seconds.toFixed(1))} s`;
}
