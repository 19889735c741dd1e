import { signature } from './signing.ts';
import type { WireRequest } from './observation.ts';

/** How the signature of one delivery is made; every part can be made wrong on purpose. */
export interface Recipe {
  secret: string;
  /** Seconds that `t` lies off the real time: negative is in the past. */
  offsetSeconds: number;
  /** The bytes that are signed, where they are not the body's. */
  signed?: Uint8Array | string;
  /** Writes `X-Svc-Signature` from its parts; `undefined` leaves the header out. */
  write: (t: number, v1: string) => string | undefined;
}

/** A signed delivery in the making: signed at the moment when it is sent, since `t` is the time of sending. */
export class SignedDelivery {
  readonly event: unknown;
  readonly body: Uint8Array;
  readonly headers: readonly (readonly [string, string])[];
  readonly #recipe: Recipe;

  constructor(event: unknown, body: Uint8Array, headers: SignedDelivery['headers'], recipe: Recipe) {
    this.event = event;
    this.body = body;
    this.headers = headers;
    this.#recipe = recipe;
  }

  /** Another recipe for the signature, the body unchanged. */
  with(change: Partial<Recipe>): SignedDelivery {
    return new SignedDelivery(this.event, this.body, this.headers, { ...this.#recipe, ...change });
  }

  /** Signed for this body, then sent with another one. */
  withBodyChangedAfterSigning(change: (body: Buffer) => Buffer): SignedDelivery {
    const signed = this.#recipe.signed ?? this.body;
    return new SignedDelivery(this.event, change(Buffer.from(this.body)), this.headers, { ...this.#recipe, signed });
  }

  /** Other headers beside the signature, by name in any case; `undefined` leaves one out. */
  withHeader(name: string, value: string | undefined): SignedDelivery {
    const others = this.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
    const headers = value === undefined ? others : [...others, [name, value] as const];
    return new SignedDelivery(this.event, this.body, headers, this.#recipe);
  }

  get secret(): string {
    return this.#recipe.secret;
  }

  /** The request as it goes out at `now` (Unix milliseconds). */
  request(url: string, now: number): WireRequest {
    const { secret, offsetSeconds, signed, write } = this.#recipe;
    const t = Math.floor(now / 1000) + offsetSeconds;
    const header = write(t, signature({ secret, t, body: signed ?? this.body }));
    return {
      method: 'POST',
      url,
      headers: header === undefined ? this.headers : [...this.headers, ['X-Svc-Signature', header]],
      body: this.body,
    };
  }
}

/** The header as the interface writes it (interface: Authentication). */
export function wholeHeader(t: number, v1: string): string {
  return `t=${t},v1=${v1}`;
}
