import type { LiveCall, Outbound, OutboundAnswer } from '../service/outbound.ts';

/** Replaces the integrator's endpoints while contracts are replayed: nothing leaves this process. */
export class StubIntegrator implements Outbound {
  /** Whether it answers deliveries and calls; `false`: it cannot be reached. */
  answers = true;

  post(): Promise<OutboundAnswer & { ms: number }> {
    if (!this.answers) return Promise.resolve({ outcome: 'unreachable', detail: 'connection refused', ms: 1 });
    const nothing = { headers: [], body: new Uint8Array(), bodyBytes: 0, truncated: false };
    return Promise.resolve({ outcome: 'answered', status: 204, ...nothing, ms: 1 });
  }

  call(): Promise<LiveCall | { failed: string }> {
    if (!this.answers) return Promise.resolve({ failed: 'connection refused' });
    return Promise.resolve(new SilentCall());
  }
}

/** An established call without speech. */
class SilentCall implements LiveCall {
  readonly over: LiveCall['over'];
  #end: (outcome: Awaited<LiveCall['over']>) => void = () => undefined;

  constructor() {
    this.over = new Promise((resolve) => (this.#end = resolve));
  }

  start(): void {
    // Ignored.
  }

  ask(): ReturnType<LiveCall['ask']> {
    return Promise.resolve({ outcome: 'nothing', text: '' });
  }

  press(): void {
    // Ignored.
  }

  interrupt(): void {
    // Ignored.
  }

  end(): Promise<void> {
    this.#end({ how: 'ended-by-service', text: '' });
    return Promise.resolve();
  }
}
