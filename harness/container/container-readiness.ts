import type { EndpointLogs } from '../start/endpoint-logs.ts';
import type { Readiness, ReadyCondition } from '../start/wait-until-ready.ts';

/** The known data of a container that was started. */
export interface StartedContainer {
  /** Host and port of the container as seen from this process. */
  place: string;
  /** The port on which it should listen inside the container. */
  port: number;
  /** Whether it uses TLS. */
  isSafe: boolean;
  wait: ReadyCondition;
  logs: EndpointLogs;
}

/** When a container is ready. */
export function containerReadiness({ place, port, isSafe, wait, logs }: StartedContainer): Readiness {
  return {
    listeners: [
      {
        place,
        advice: `, port ${port} of the container. Check the port, and that it listens on 0.0.0.0, not on 127.0.0.1.`,
      },
    ],
    origin: `http${isSafe ? 's' : ''}://${place}`,
    wait,
    logs,
  };
}
