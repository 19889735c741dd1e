/** Every request is asked to wait, also one that was accepted before. */
export class RateLimited extends Error {
  override readonly name = 'RateLimited';
  /** Deliveries until then. */
  readonly deliveries: number;

  constructor(deliveries: number, pauseMs: number) {
    super(
      `After ${deliveries} deliveries, every delivery is answered 429 (too many requests) and asked to wait ${Math.ceil(pauseMs / 1000)} s, also one that was accepted before.`,
    );
    this.deliveries = deliveries;
  }
}
