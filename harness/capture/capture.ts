import type { Surface } from '../../specs/requirements/catalogue.ts';
import type { ClientTraffic } from '../client/api-exchange.ts';
import type { Arrival, CallObservation, Observation } from '../wire/observation.ts';
import type { CredentialState } from './credential-state.ts';

/** Surfaces that a recording can show. */
export type CapturedSurface = Exclude<Surface, 'deep-links'>;

/** A delivery of the service, as it was recorded. */
export interface CapturedDelivery extends Observation {
  entry: number;
  /** The event where its body is whole; of the simulated service's log no more than its type. */
  event: Record<string, unknown> | undefined;
  /** `event` is all that was sent. */
  isWhole: boolean;
  credential: CredentialState;
  /** What tells deliveries of the same event: `callbackUrl` or the delivery id. */
  key: string | undefined;
  /** Requests to the address that the event gave for a later answer, by any method, in their order. */
  later: Arrival[];
}

/** A call, as it was recorded. No answers are made out in it. */
export interface CapturedCall extends CallObservation {
  entry: number;
  credential: CredentialState;
}

/** Something that the service did otherwise than the interface describes: never held against the endpoint. */
export interface ServiceFault {
  entry: number;
  surface: CapturedSurface;
  expected: string;
  received: string;
}

/** A recording, sorted: what of it is of the interface. */
export interface Capture {
  file: string;
  kind: 'har' | 'log';
  crm: readonly CapturedDelivery[];
  hooks: readonly CapturedDelivery[];
  chat: readonly CapturedDelivery[];
  calls: readonly CapturedCall[];
  /** Requests that name a callback or reply address of the recording but do not go to it. */
  misdirectedCallbacks: readonly Arrival[];
  misdirectedReplies: readonly Arrival[];
  /** Requests to the API, where there are any. */
  traffic: ClientTraffic | undefined;
  serviceFaults: readonly ServiceFault[];
  /** What was not judged, by the reason: entries of the file. */
  aside: readonly { reason: string; entries: readonly number[] }[];
}

/** What checks are given where no recording is judged. */
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
  serviceFaults: [],
  aside: [],
};

/** Surfaces of which a recording shows something, in the catalogue's order. */
export function capturedSurfaces({ crm, hooks, chat, calls, traffic }: Capture): CapturedSurface[] {
  const shown: [CapturedSurface, boolean][] = [
    ['crm-webhook', crm.length > 0],
    ['api-webhooks', hooks.length > 0],
    ['own-ai-chat', chat.length > 0],
    ['own-ai-phone', calls.length > 0],
    ['api-client', traffic !== undefined],
  ];
  return shown.filter(([, isShown]) => isShown).map(([surface]) => surface);
}
