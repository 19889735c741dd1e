import type { ValidRequests } from './valid-requests.ts';

/** Every request is asked to wait, also one that was accepted before. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited';
  /** Valid deliveries until then. */
  readonly deliveries: number;
  /** Invalid requests preceded, for which the endpoint may lock out their sender. */
  readonly isAfterInvalid: boolean;

  constructor({ count, hasInvalid }: ValidRequests, pauseMs: number) {
    super(
      `After ${count} deliveries, every delivery is answered 429 (too many requests) and asked to wait ${Math.ceil(pauseMs / 1000)} s, also one that was accepted before.`,
    );
    this.deliveries = count;
    this.isAfterInvalid = hasInvalid;
  }
}
