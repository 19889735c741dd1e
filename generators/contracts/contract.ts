import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { ServiceId } from '../../specs/requirements/service.ts';
import type { JsonValue } from '../../specs/schemas.ts';

/**
 * JSON in Pact's integration form: a field `pact:matcher:type` makes its object a matcher around the example in
 * `value`. Everything else is matched literally.
 */
export type Matched = JsonValue;

/** A state in which the provider has to be before an interaction; `provider-states.ts` lists what each name means. */
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

/** A header's value, or the matcher of it. */
export type MatchedHeaders = Readonly<Record<string, Matched>>;

/** One request and its answer. */
export interface HttpInteraction extends InteractionBase {
  readonly kind: 'http';
  readonly request: {
    readonly method: string;
    /** A path, or the matcher of one. */
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
   * Statuses that are right too, though not in the state that is asked for. With one of them the state was not there,
   * and nothing can be judged.
   */
  readonly otherwise?: readonly number[];
  /**
   * Fields of the answer that show that the endpoint is in the state. Where one of them is missing, null, an empty
   * list or not the given value, or the status is another, the endpoint did something else, and nothing can be judged
   * here: the status is judged by an interaction with the same request and no further expectation.
   */
  readonly shows?: readonly ShownField[];
  /**
   * The answer has to leave the reply for later, by 202, 204 or 200 without a body (interface: Own-AI chat event). Another
   * 2xx is right too, and shows something else.
   */
  readonly later?: true;
  /** The request comes on purpose without the token or signature, or with a wrong one. Absent: with the right one. */
  readonly credentials?: 'none' | 'wrong';
}

/** A field by its JSON Pointer, and the value that it has, where only one will do. */
export interface ShownField {
  readonly pointer: string;
  readonly value?: JsonValue;
  /** The other values that are right, in other states; absent: any. What is right in no state is compared, and fails. */
  readonly others?: readonly JsonValue[];
  /** The type it must have before its contents are checked; another type is judged by another interaction. */
  readonly type?: 'text' | 'list';
}

/** Whatever is answered, where it has a body. */
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
export const providerNames = ['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone', 'api-v1'] as const;
export type ProviderName = (typeof providerNames)[number];

/** Name of a contract's file. */
export function contractFile({ consumer, provider }: Pick<Contract, 'consumer' | 'provider'>): string {
  return `${consumer}-${provider}.json`;
}
