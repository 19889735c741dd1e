import { hmacHex, signedBytes } from './signing.ts';
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

/** A signed delivery in the making: signed at the moment when it is sent, since `t` is the time of sending. */
export class SignedDelivery {
  readonly event: unknown;
  readonly body: Uint8Array;
  readonly headers: readonly (readonly [string, string])[];
  readonly #recipe: Recipe;

  private constructor(event: unknown, body: Uint8Array, headers: SignedDelivery['headers'], recipe: Recipe) {
    this.event = event;
    this.body = body;
    this.headers = headers;
    this.#recipe = recipe;
  }

  /** A delivery as the service makes it (interface: Authentication). `text` is the exact body. */
  static of(event: unknown, text: string, headers: SignedDelivery['headers'], secret: string): SignedDelivery {
    return new SignedDelivery(event, Buffer.from(text, 'utf8'), headers, {
      secret,
      offsetSeconds: 0,
      signedParts: signedBytes,
      write: (t, v1) => `t=${t},v1=${v1}`,
    });
  }

  /** Another recipe for the signature, the body unchanged. */
  with(change: Partial<Recipe>): SignedDelivery {
    return new SignedDelivery(this.event, this.body, this.headers, { ...this.#recipe, ...change });
  }

  /** Other bytes on the wire. They are what is signed, unless the recipe names the signed bytes. */
  withBody(body: Uint8Array): SignedDelivery {
    return new SignedDelivery(this.event, body, this.headers, this.#recipe);
  }

  /** Signed for this body, then sent with another one. */
  withBodyChangedAfterSigning(change: (body: Buffer) => Buffer): SignedDelivery {
    return this.with({ signed: this.body }).withBody(change(Buffer.from(this.body)));
  }

  /** Other headers beside the signature, by name in any case; `undefined` leaves one out. */
  withHeader(name: string, value: string | undefined): SignedDelivery {
    const others = this.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
    const headers = value === undefined ? others : [...others, [name, value] as const];
    return new SignedDelivery(this.event, this.body, headers, this.#recipe);
  }

  /** The right secret, for making wrong ones of it. */
  get secret(): string {
    const { secret } = this.#recipe;
    return typeof secret === 'string' ? secret : '';
  }

  /** The request as it goes out at `now` (Unix milliseconds). */
  request(url: string, now: number): WireRequest {
    const { secret, offsetSeconds, signed, signedParts, write } = this.#recipe;
    const t = Math.floor(now / 1000) + offsetSeconds;
    const header = write(t, hmacHex(secret, signedParts(t, signed ?? this.body)));
    return {
      method: 'POST',
      url,
      headers: header === undefined ? this.headers : [...this.headers, ['X-Svc-Signature', header]],
      body: this.body,
    };
  }
}
