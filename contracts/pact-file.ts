import type { ShownField } from '../generators/contracts/contract.ts';
import type { JsonValue } from '../specs/schemas.ts';

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

/** What a verdict needs beside Pact's own fields; the specification leaves `comments` to whoever writes the file. */
export interface PactComments {
  /** Catalogue id that a failed verification counts against. */
  readonly requirement?: string;
  /** Statuses that are right too, though not in the state that is asked for. */
  readonly otherwise?: readonly number[];
  /** Fields of the answer that the interaction is about and that an answer may lack, or give otherwise. */
  readonly shows?: readonly ShownField[];
  /** The answer has to leave the reply for later: 202, 204, or 200 without a body. */
  readonly later?: boolean;
  /** What is sent without them, or with wrong ones, on purpose. Absent: right ones. */
  readonly credentials?: 'none' | 'wrong';
}

/** One interaction of a Pact V4 file, as far as it is read here; all of it goes to the verifier. */
export interface PactInteraction extends PactMessagePart {
  readonly type: 'Synchronous/HTTP' | 'Asynchronous/Messages' | 'Synchronous/Messages';
  readonly description: string;
  readonly providerStates?: readonly { readonly name: string; readonly params?: Readonly<Record<string, JsonValue>> }[];
  readonly request?: PactMessagePart;
  /** Of messages, the frames that answer. */
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
