import type { LiveCall, Outbound, OutboundAnswer } from '../service/outbound.ts';

/** Stands in for whoever the service would send to while contracts are replayed: nothing leaves this process. */
export class StubIntegrator implements Outbound {
  /** Whether it answers deliveries and calls; `false`: it cannot be reached. */
  answers = true;

  post(): Promise<OutboundAnswer & { ms: number }> {
    if (!this.answers) return Promise.resolve({ outcome: 'unreachable', detail: 'nobody is there', ms: 1 });
    const nothing = { headers: [], body: new Uint8Array(), bodyBytes: 0, truncated: false };
    return Promise.resolve({ outcome: 'answered', status: 204, ...nothing, ms: 1 });
  }

  call(): Promise<LiveCall | { failed: string }> {
    if (!this.answers) return Promise.resolve({ failed: 'nobody is there' });
    return Promise.resolve(new SilentCall());
  }
}

/** A call that stands and in which nothing is said. */
class SilentCall implements LiveCall {
  readonly over: LiveCall['over'];
  #end: (outcome: Awaited<LiveCall['over']>) => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => (this.#end = resolve));
  }

  start(): void {
    // Nobody listens.
  }

  ask(): ReturnType<LiveCall['ask']> {
    return Promise.resolve({ outcome: 'nothing', text: '' });
  }

  press(): void {
    // Nobody listens.
  }

  interrupt(): void {
    // Nobody listens.
  }

  end(): Promise<void> {
    this.#end({ how: 'ended-by-service', text: '' });
    return Promise.resolve();
  }
}
