import { hmacHex, signedBytes } from '../../specs/signing.ts';
import type { WireRequest } from './observation.ts';

/** How the signature of one delivery is made; every part can be made wrong on purpose. */
export interface Recipe {
  /** Key of the HMAC: text is used as UTF-8 as it is. */
  secret: string | Uint8Array;
  /** Seconds that `t` lies off the real time: negative is in the past. */
  offsetSeconds: number;
  /** The bytes that stand for the body in what is signed; the body's own unless told. */
  signed?: Uint8Array;
  /** What the HMAC is computed over; `t`, a dot and the signed bytes unless told. */
  signedParts: (t: number, body: Uint8Array) => readonly Uint8Array[];
  /** Writes `X-Svc-Signature` from its parts; `undefined` leaves the header out. */
  write: (t: number, v1: string) => string | undefined;
}

interface Content {
  method: 'POST' | 'GET';
  event: unknown;
  body: Uint8Array;
  headers: readonly (readonly [string, string])[];
}

/**
 * A signed delivery, or the upgrade of a call, in the making: signed at the moment when it is sent, since `t` is the
 * time of sending.
 */
export class SignedDelivery {
  readonly #content: Content;
  readonly #recipe: Recipe;

  private constructor(content: Content, recipe: Recipe) {
    this.#content = content;
    this.#recipe = recipe;
  }

  /** A delivery as the service makes it (interface: Authentication). `text` is the exact body. */
  static of(event: unknown, text: string, headers: Content['headers'], secret: string): SignedDelivery {
    return new SignedDelivery({ method: 'POST', event, body: Buffer.from(text, 'utf8'), headers }, validRecipe(secret));
  }

  /** The upgrade request of a call: no body, and the call id is what is signed (interface: Authentication). */
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

  /** Headers beside the signature. */
  get headers(): Content['headers'] {
    return this.#content.headers;
  }

  /** Another recipe for the signature, the body unchanged. */
  with(change: Partial<Recipe>): SignedDelivery {
    return new SignedDelivery(this.#content, { ...this.#recipe, ...change });
  }

  /** Other bytes on the wire. They are what is signed, unless the recipe names the signed bytes. */
  withBody(body: Uint8Array): SignedDelivery {
    return new SignedDelivery({ ...this.#content, body }, this.#recipe);
  }

  /** Signed for this body, then sent with another one. */
  withBodyChangedAfterSigning(change: (body: Buffer) => Buffer): SignedDelivery {
    return this.with({ signed: this.body }).withBody(change(Buffer.from(this.body)));
  }

  /** Other headers beside the signature, by name in any case; `undefined` leaves one out. */
  withHeader(name: string, value: string | undefined): SignedDelivery {
    const others = this.#content.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
    const headers = value === undefined ? others : [...others, [name, value] as const];
    return new SignedDelivery({ ...this.#content, headers }, this.#recipe);
  }

  /** The right secret, for making wrong ones of it. */
  get secret(): string {
    const { secret } = this.#recipe;
    return typeof secret === 'string' ? secret : '';
  }

  /** The request as it goes out at `now` (Unix milliseconds). */
  request(url: string, now: number): WireRequest {
    const { secret, offsetSeconds, signed, signedParts, write } = this.#recipe;
    const { method, headers, body } = this.#content;
    const t = Math.floor(now / 1000) + offsetSeconds;
    const header = write(t, hmacHex(secret, signedParts(t, signed ?? body)));
    return {
      method,
      url,
      headers: header === undefined ? headers : [...headers, ['X-Svc-Signature', header]],
      body,
    };
  }
}

function validRecipe(secret: string): Recipe {
  return { secret, offsetSeconds: 0, signedParts: signedBytes, write: (t, v1) => `t=${t},v1=${v1}` };
}
