import type { ClientTraffic } from '../client/api-exchange.ts';
import type { Arrival, CallObservation, Observation } from '../wire/observation.ts';
import type { AsideReason } from './aside-reason.ts';
import type { CapturedExchange } from './captured-exchange.ts';
import type { CredentialState } from './credential-state.ts';
import { surfaces, surfaceTable, type Surface } from '../../specs/surfaces.ts';

/** Surfaces that a recording can show. */
export type CapturedSurface = Exclude<Surface, 'deep-links'>;

/** A recorded delivery of the service. */
export interface CapturedDelivery extends Observation {
  entry: number;
  /** The event, if its body is complete; from the simulated service's log only its type. */
  event: Record<string, unknown> | undefined;
  /** `event` is the complete body. */
  isWhole: boolean;
  credential: CredentialState;
  /** Identifies deliveries of the same event: `callbackUrl` or the delivery id. */
  key: string | undefined;
  /** Requests to the address in the event for a later answer, by any method, in order. */
  later: Arrival[];
}

/** A recorded call. Its frames are not grouped into answers. */
export interface CapturedCall extends CallObservation {
  entry: number;
  credential: CredentialState;
}

/** A deviation of the service from the interface; never counted against the endpoint. */
export interface ServiceDeviation {
  /** Number of the entry in the recording, from 1. */
  entry: number;
  surface: CapturedSurface;
  expected: string;
  received: string;
}

/** A recording sorted by the parts of the interface. */
export interface Capture {
  file: string;
  kind: 'har' | 'log';
  crm: readonly CapturedDelivery[];
  hooks: readonly CapturedDelivery[];
  chat: readonly CapturedDelivery[];
  calls: readonly CapturedCall[];
  /** Requests meant for a callback or reply address of the recording but sent elsewhere. */
  misdirectedCallbacks: readonly Arrival[];
  misdirectedReplies: readonly Arrival[];
  traffic: ClientTraffic | undefined;
  /** Requests to API v1; `base` is the address of the API without `/v1`. */
  requests: readonly { exchange: CapturedExchange; base: string }[];
  /** Entries of the file that were not judged, by reason. */
  aside: readonly { reason: AsideReason; entries: readonly number[] }[];
}

/** The capture of a run without a recording. */
export const noCapture: Capture = {
  file: '',
  kind: 'har',
  crm: [],
  hooks: [],
  chat: [],
  calls: [],
  misdirectedCallbacks: [],
  misdirectedReplies: [],
  traffic: undefined,
  requests: [],
  aside: [],
};

/** Surfaces that occur in a recording, in the catalogue's order. */
export function capturedSurfaces(capture: Capture): CapturedSurface[] {
  return surfaces.filter(isCaptured).filter((surface) => {
    if (surface === 'api-client') return capture.traffic !== undefined;
    return capturedExchanges(capture, surface).length > 0;
  });
}

/** The recorded exchanges of a surface. */
export function capturedExchanges(capture: Capture, surface: CapturedSurface): readonly unknown[] {
  if (surface === 'api-client') return capture.traffic?.exchanges ?? [];
  return surface === 'own-ai-phone' ? capture.calls : capture[surfaceTable[surface].endpoint.kit];
}

function isCaptured(surface: Surface): surface is CapturedSurface {
  return surface !== 'deep-links';
}
