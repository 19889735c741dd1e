import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { ServiceId } from '../../specs/requirements/service.ts';
import type { JsonValue } from '../../specs/json-value.ts';
import { endpointSurfaces } from '../../specs/surfaces.ts';

/**
 * JSON in Pact's integration form: a field `pact:matcher:type` makes its object a matcher around the example in
 * `value`. Everything else is matched literally.
 */
export type Matched = JsonValue;

/** A provider state before an interaction; `provider-states.ts` describes each name. */
export interface ProviderState {
  readonly name: string;
  readonly params?: Readonly<Record<string, JsonValue>>;
}

interface InteractionBase {
  /** Description, unique in its contract; the verifier shows it. */
  readonly description: string;
  /** The requirement that fails with the interaction. */
  readonly requirement: RequirementId | ServiceId;
  readonly states: readonly ProviderState[];
}

/** Status classes of Pact: `error` is 400 and above. */
export type StatusClass = 'information' | 'success' | 'redirect' | 'clientError' | 'serverError' | 'nonError' | 'error';

/** The statuses that an answer may have: one, any of a list, or a class. `example` is what the mock server answers. */
export type ExpectedStatus = number | { readonly example: number; readonly of: readonly number[] | StatusClass };

/** The value of a header, or its matcher. */
export type MatchedHeaders = Readonly<Record<string, Matched>>;

/** One request and its answer. */
export interface HttpInteraction extends InteractionBase {
  readonly kind: 'http';
  readonly request: {
    readonly method: string;
    /** A path, or its matcher. */
    readonly path: Matched;
    readonly query?: Readonly<Record<string, Matched>>;
    readonly headers?: MatchedHeaders;
    readonly body?: Matched;
  };
  readonly response: {
    readonly status: ExpectedStatus;
    readonly headers?: MatchedHeaders;
    /** Omitted: the body is not checked. */
    readonly body?: Matched;
  };
  /**
   * Statuses that are correct outside the requested state. They show that the state was not set up, so nothing can be
   * judged.
   */
  readonly otherwise?: readonly number[];
  /**
   * Fields of the answer that show that the endpoint is in the state. If one of them is missing, null, an empty list or
   * another value, or the status differs, the endpoint did something else and nothing can be judged here: a separate
   * interaction with the same request judges the status.
   */
  readonly shows?: readonly ShownField[];
  /**
   * The answer must defer the reply: 202, 204 or 200 without a body (interface: Own-AI chat event). Another 2xx is
   * correct too but does not show the state.
   */
  readonly later?: true;
  /** The request has a missing or invalid token or signature on purpose. Default: a valid one. */
  readonly credentials?: 'none' | 'wrong';
}

/** A field by its JSON Pointer, with its value if only one is permitted. */
export interface ShownField {
  readonly pointer: string;
  readonly value?: JsonValue;
  /**
   * Other values that are correct in other states; absent: any. A value that is correct in no state is compared, and
   * fails.
   */
  readonly others?: readonly JsonValue[];
  /** The type it must have before its contents are checked; another type is judged by another interaction. */
  readonly type?: 'text' | 'list';
}

/** Any answer with a body. */
export const wholeAnswer: ShownField = { pointer: '' };

/** A frame that one side sends unprompted and that expects no answer. */
export interface AsynchronousMessage extends InteractionBase {
  readonly kind: 'asynchronous';
  readonly content: Matched;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A frame and the frames that answer it. */
export interface SynchronousMessage extends InteractionBase {
  readonly kind: 'synchronous';
  readonly request: Matched;
  readonly responses: readonly Matched[];
  readonly metadata?: Readonly<Record<string, string>>;
}

export type MessageInteraction = AsynchronousMessage | SynchronousMessage;
export type Interaction = HttpInteraction | MessageInteraction;

/** A contract between a consumer and a provider; becomes a Pact V4 file, `<consumer>-<provider>.json`. */
export interface Contract<Each extends Interaction = Interaction> {
  readonly consumer: 'svc' | 'integrator';
  readonly provider: ProviderName;
  readonly interactions: readonly Each[];
}

/** Providers that have a contract. */
export const providerNames = [...endpointSurfaces, 'api-v1'] as const;
export type ProviderName = (typeof providerNames)[number];

/** Name of a contract's file. */
export function contractFile({ consumer, provider }: Pick<Contract, 'consumer' | 'provider'>): string {
  return `${consumer}-${provider}.json`;
}
