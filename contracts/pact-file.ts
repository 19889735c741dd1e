import type { ShownField } from '../generators/contracts/contract.ts';
import type { JsonValue } from '../specs/json-value.ts';

/** A body or a frame in a Pact V4 file. */
export interface PactContents {
  readonly content?: JsonValue;
  readonly contentType?: string;
  readonly encoded?: boolean | string;
}

/** Generators of a body, by Pact's path of the field that they fill. */
export interface PactGenerators {
  readonly body?: Readonly<Record<string, { readonly type: string; readonly expression?: string }>>;
}

/** One side of a message. */
export interface PactMessagePart {
  readonly contents?: PactContents;
  readonly generators?: PactGenerators;
}

/**
 * Data for a verdict in addition to Pact's own fields; the specification leaves `comments` to the author of the file.
 */
export interface PactComments {
  /** Catalogue id that a failed verification counts against. */
  readonly requirement?: string;
  /** Other permitted statuses, though not those of the required state. */
  readonly otherwise?: readonly number[];
  /** Fields that the interaction is about and that an answer may lack, or give other values. */
  readonly shows?: readonly ShownField[];
  /** The answer must defer the reply: 202, 204, or 200 without a body. */
  readonly later?: boolean;
  /** Sent without credentials, or with invalid ones, on purpose. Absent: valid ones. */
  readonly credentials?: 'none' | 'wrong';
}

/** One interaction of a Pact V4 file, as far as we read it; the verifier gets all of it. */
export interface PactInteraction extends PactMessagePart {
  readonly type: 'Synchronous/HTTP' | 'Asynchronous/Messages' | 'Synchronous/Messages';
  readonly description: string;
  readonly providerStates?: readonly { readonly name: string; readonly params?: Readonly<Record<string, JsonValue>> }[];
  readonly request?: PactMessagePart;
  /** For messages, the answering frames. */
  readonly response?: JsonValue | readonly PactMessagePart[];
  readonly comments?: PactComments;
}

/** A Pact V4 file. */
export interface PactFile {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
  readonly interactions: readonly PactInteraction[];
  readonly metadata: JsonValue;
}
