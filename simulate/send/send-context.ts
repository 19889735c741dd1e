import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { ServiceEvent } from '../../service/service-events.ts';
import type { SimulatedService } from '../../service/simulated-service.ts';
import type { Override } from './override.ts';

/** What one `send` works with. */
export interface SendContext {
  service: SimulatedService;
  /** With the one surface to which is sent. */
  config: ResolvedConfig;
  overrides: readonly Override[];
  /** The JSON of `--body`; `undefined` without the flag, or where the file is not JSON. */
  body: unknown;
  /** Seconds for what may follow; `undefined`: the usual. */
  wait: number | undefined;
}

/** What came of it. */
export interface SendResult {
  /** What the service does, a sentence each. */
  sentences: readonly string[];
  /** The service can work with what came. */
  isUsable: boolean;
  /** Milliseconds that the endpoint has. */
  limitMs?: number;
  /** What is to be known about the request, such as fields that the service itself does not hold. */
  notes?: readonly string[];
}

/** Seconds for a callback or reply after a 202, when nothing else is said. */
export const usualWaitSeconds = 10;

/** The first event of the service that fits, also one from before; `undefined` when none came within so many seconds. */
export async function nextEvent(
  { events }: SimulatedService,
  fits: (event: ServiceEvent) => boolean,
  seconds: number,
): Promise<ServiceEvent | undefined> {
  const already = events.kept.find(fits);
  if (already) return already;
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
