import { limits } from '../../specs/limits.ts';

/** How far from its limit, in seconds, an edge may lie: more than the clocks of two machines are usually apart. */
export const edgeMarginSeconds = 20;
/** Seconds that stand for "any time at all": a year. */
export const anyTimeSeconds = 31_536_000;
/** Seconds beside a supposed edge that are asked for: whole seconds of `t`, and the way to the endpoint. */
const probeMarginSeconds = 2;
/** Part of its distance within which an end is known, where it is long. */
const exactPart = 0.01;

const { signatureToleranceSeconds } = limits;

/** Limits that people write, in seconds: 300,000 is five minutes in milliseconds. Where an edge is looked for first. */
const usualLimits = [
  0, 1, 5, 10, 15, 30, 60, 90, 120, 180, 240, 300, 360, 420, 600, 900, 1200, 1800, 3600, 7200, 14_400, 43_200, 86_400,
  172_800, 300_000, 604_800, 2_592_000,
] as const;

/** The past or the future. */
export type Side = -1 | 1;

/** One end of the times that are accepted, in seconds off our clock. */
export interface Edge {
  /** The farthest that was accepted. */
  inside: number;
  /** The nearest beyond it that was refused; `undefined` when even a year is accepted. */
  outside: number | undefined;
}

/** The times that an endpoint accepts, as far as it has been asked. */
export class WindowSearch {
  readonly #accepts: (offsetSeconds: number) => Promise<boolean>;
  readonly #asked = new Map<number, boolean>();

  /** @param accepts asks with a signature that is right but for a `t` so many seconds off; negative is in the past */
  constructor(accepts: (offsetSeconds: number) => Promise<boolean>) {
    this.#accepts = accepts;
  }

  /** Whether this offset is accepted; every offset is asked for once. */
  async ask(offset: number): Promise<boolean> {
    const known = this.#asked.get(offset);
    if (known !== undefined) return known;
    const accepted = await this.#accepts(offset);
    this.#asked.set(offset, accepted);
    return accepted;
  }

  /** Books what is known otherwise. */
  learn(offset: number, accepted: boolean): void {
    this.#asked.set(offset, accepted);
  }

  /** What is known of one end. Throws TypeError when nothing has been accepted yet. */
  edge(side: Side): Edge {
    const offsets = [...this.#asked.keys()].sort((one, other) => side * (one - other));
    const inside = offsets.findLast((offset) => this.#asked.get(offset));
    if (inside === undefined) throw new TypeError('No accepted time is known.');
    return { inside, outside: offsets.find((offset) => side * (offset - inside) > 0) };
  }

  /** Finds one end with few questions. One that lies where it should, seen from `centre`, is not looked at more closely. */
  async find(side: Side, { centre, supposed, exactSeconds = 2 * probeMarginSeconds }: SearchHints): Promise<Edge> {
    if (centre !== undefined) {
      const inner = centre + side * (signatureToleranceSeconds - edgeMarginSeconds);
      const outer = centre + side * (signatureToleranceSeconds + edgeMarginSeconds);
      if ((await this.ask(inner)) && !(await this.ask(outer))) return this.edge(side);
    }
    const margin = Math.max(probeMarginSeconds, exactSeconds / 2);
    if (supposed !== undefined) await this.ask(supposed + side * margin);
    if (this.edge(side).outside === undefined) await this.ask(side * anyTimeSeconds);
    const usual = centre === undefined ? [] : usualLimits.map((limit) => centre + side * limit);
    for (;;) {
      const { inside, outside } = this.edge(side);
      const exact = Math.max(exactSeconds, Math.abs(inside) * exactPart);
      if (outside === undefined || Math.abs(outside - inside) <= exact) return { inside, outside };
      const between = (offset: number) => side * (offset - inside) > 0 && side * (outside - offset) > 0;
      // A place is still open while a question beside it can tell something.
      const isOpen = (place: number) => [1, -1].some((which) => between(place + which * side * margin));
      const open = usual.filter(isOpen);
      const place = supposed !== undefined && isOpen(supposed) ? supposed : open[Math.floor(open.length / 2)];
      if (place === undefined) await this.ask(middle(inside, outside));
      else await this.ask(between(place + side * margin) ? place + side * margin : place - side * margin);
    }
  }
}

/** What helps to find an end soon. */
export interface SearchHints {
  /** Where the endpoint's clock seems to be, in seconds off ours. */
  centre?: number | undefined;
  /** Where the end may well be, in seconds off ours: looked for there first. */
  supposed?: number | undefined;
  /** How exactly, in seconds, the end has to be known. */
  exactSeconds?: number;
}

/** Half-way; over orders of magnitude by ratio. */
function middle(inside: number, outside: number): number {
  const far = Math.max(Math.abs(inside), Math.abs(outside));
  const near = Math.max(1, Math.min(Math.abs(inside), Math.abs(outside)));
  const wide = Math.sign(inside) === Math.sign(outside) && far > 10 * near;
  return wide ? Math.sign(outside) * Math.round(Math.sqrt(far * near)) : Math.round((inside + outside) / 2);
}
