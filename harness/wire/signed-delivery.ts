import { hmacHex, signedBytes } from '../../specs/signing.ts';
import type { WireRequest } from './observation.ts';

/** How to make the signature of one delivery; every part can be made invalid on purpose. */
export interface Recipe {
  /** Key of the HMAC: a string is used as UTF-8, without decoding. */
  secret: string | Uint8Array;
  /** Offset of `t` from the real time in seconds: negative is in the past. */
  offsetSeconds: number;
  /** The bytes to sign in place of the body; default: the body. */
  signed?: Uint8Array;
  /** The input of the HMAC; default: `t`, a dot and the signed bytes. */
  signedParts: (t: number, body: Uint8Array) => readonly Uint8Array[];
  /** Formats `X-Svc-Signature`; `undefined` omits the header. */
  write: (t: number, v1: string) => string | undefined;
}

/** The token, and the signed header of a call: one that the caller chooses may be forged. */
const credentialHeaders = new Set(['authorization', 'x-svc-call-id']);

interface SigningRecipe extends Recipe {
  /** Unchanged, so that the signature is valid. */
  authentic?: true;
}

interface Content {
  method: 'POST' | 'GET';
  event: unknown;
  body: Uint8Array;
  headers: readonly (readonly [string, string])[];
}

/** A delivery, or the upgrade of a call, that is signed at the moment of sending, since `t` is the time of sending. */
export class SignedDelivery {
  readonly #content: Content;
  readonly #recipe: SigningRecipe;

  private constructor(content: Content, recipe: SigningRecipe) {
    this.#content = content;
    this.#recipe = recipe;
  }

  /** A delivery like the service's (interface: Authentication). `text` is the exact body. */
  static of(event: unknown, text: string, headers: Content['headers'], secret: string): SignedDelivery {
    return new SignedDelivery({ method: 'POST', event, body: Buffer.from(text, 'utf8'), headers }, validRecipe(secret));
  }

  /** The upgrade request of a call: without a body; the call id is signed (interface: Authentication). */
  static upgrade(callId: string, headers: Content['headers'], secret: string): SignedDelivery {
    const content = { method: 'GET', event: undefined, body: new Uint8Array(), headers } as const;
    return new SignedDelivery(content, { ...validRecipe(secret), signed: Buffer.from(callId, 'utf8') });
  }

  get event(): unknown {
    return this.#content.event;
  }

  get body(): Uint8Array {
    return this.#content.body;
  }

  /** Headers other than the signature. */
  get headers(): Content['headers'] {
    return this.#content.headers;
  }

  /** Changes the recipe of the signature, not the body. */
  with(change: Partial<Recipe>): SignedDelivery {
    const { authentic: _, ...recipe } = this.#recipe;
    return new SignedDelivery(this.#content, { ...recipe, ...change });
  }

  /** Replaces the sent bytes, which are also signed unless the recipe sets the signed bytes. */
  withBody(body: Uint8Array): SignedDelivery {
    return new SignedDelivery({ ...this.#content, body }, this.#recipe);
  }

  /** Signs this body, then sends a changed one. */
  withBodyChangedAfterSigning(change: (body: Buffer) => Buffer): SignedDelivery {
    return this.with({ signed: this.body }).withBody(change(Buffer.from(this.body)));
  }

  /** Replaces a header other than the signature, by case-insensitive name; `undefined` removes it. */
  withHeader(name: string, value: string | undefined): SignedDelivery {
    const others = this.#content.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
    const headers = value === undefined ? others : [...others, [name, value] as const];
    const changed = new SignedDelivery({ ...this.#content, headers }, this.#recipe);
    return credentialHeaders.has(name.toLowerCase()) ? changed.with({}) : changed;
  }

  /** The valid secret, for deriving invalid ones. */
  get secret(): string {
    const { secret } = this.#recipe;
    return typeof secret === 'string' ? secret : '';
  }

  /** The request to send at `now` (Unix milliseconds). */
  request(url: string, now: number): WireRequest {
    const { secret, offsetSeconds, signed, signedParts, write, authentic } = this.#recipe;
    const { method, headers, body } = this.#content;
    const t = Math.floor(now / 1000) + offsetSeconds;
    let all: Content['headers'] | undefined;
    const sign = (): Content['headers'] => {
      const header = write(t, hmacHex(secret, signedParts(t, signed ?? body)));
      return header === undefined ? headers : [...headers, ['X-Svc-Signature', header]];
    };
    return {
      method,
      url,
      // Not computed for a request of which only the address is read.
      get headers() {
        return (all ??= sign());
      },
      body,
      ...(authentic && { authentic }),
    };
  }
}

function validRecipe(secret: string): SigningRecipe {
  return { secret, offsetSeconds: 0, signedParts: signedBytes, write: (t, v1) => `t=${t},v1=${v1}`, authentic: true };
}
