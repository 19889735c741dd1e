import { limits } from '../../specs/limits.ts';

/** Permitted distance of an edge from its limit, in seconds: more than the usual difference of two clocks. */
export const edgeMarginSeconds = 20;
/** Seconds that count as "any time": a year. */
export const anyTimeSeconds = 31_536_000;
/** Distance in seconds from a supposed edge at which it is probed: covers whole seconds of `t` and the latency. */
const probeMarginSeconds = 2;
/** Relative precision of a distant edge. */
const exactPart = 0.01;

const { signatureToleranceSeconds } = limits;

/** Usual limits in seconds, which are probed first; 300,000 is five minutes in milliseconds. */
const usualLimits = [
  0, 1, 5, 10, 15, 30, 60, 90, 120, 180, 240, 300, 360, 420, 600, 900, 1200, 1800, 3600, 7200, 14_400, 43_200, 86_400,
  172_800, 300_000, 604_800, 2_592_000,
] as const;

/** The past or the future. */
export type WindowSide = -1 | 1;

/** One end of the accepted times, in seconds relative to our clock. */
export interface Edge {
  /** The farthest accepted time. */
  inside: number;
  /** The nearest refused time beyond it; `undefined` when even a year is accepted. */
  outside: number | undefined;
}

/** The accepted times of an endpoint, as far as probed. */
export class WindowSearch {
  readonly #accepts: (offsetSeconds: number) => Promise<boolean>;
  readonly #asked = new Map<number, boolean>();
  /** The result of the latest probe. */
  latest: boolean | undefined;

  /** @param accepts sends a valid signature with a `t` this many seconds off; negative is in the past */
  constructor(accepts: (offsetSeconds: number) => Promise<boolean>) {
    this.#accepts = accepts;
  }

  /** Whether this offset is accepted; each offset is probed once. */
  async ask(offset: number): Promise<boolean> {
    const known = this.#asked.get(offset);
    if (known !== undefined) return known;
    const accepted = (this.latest = await this.#accepts(offset));
    this.#asked.set(offset, accepted);
    return accepted;
  }

  /** Records a result that is known from elsewhere. */
  learn(offset: number, accepted: boolean): void {
    this.#asked.set(offset, accepted);
  }

  /** The known bounds of one end. Throws TypeError when nothing has been accepted yet. */
  edge(side: WindowSide): Edge {
    const offsets = [...this.#asked.keys()].sort((one, other) => side * (one - other));
    const inside = offsets.findLast((offset) => this.#asked.get(offset));
    if (inside === undefined) throw new TypeError('No accepted time is known.');
    return { inside, outside: offsets.find((offset) => side * (offset - inside) > 0) };
  }

  /** Finds one end with few requests. An end at its expected distance from `centre` is not refined. */
  async find(
    side: WindowSide,
    { centre, supposed, exactSeconds = 2 * probeMarginSeconds }: SearchHints,
  ): Promise<Edge> {
    if (centre !== undefined) {
      const inner = centre + side * (signatureToleranceSeconds - edgeMarginSeconds);
      const outer = centre + side * (signatureToleranceSeconds + edgeMarginSeconds);
      if (!(await this.ask(outer)) && (await this.ask(inner))) return this.edge(side);
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
      // A candidate is open while a probe next to it is informative.
      const isOpen = (place: number) => [1, -1].some((which) => between(place + which * side * margin));
      const open = usual.filter(isOpen);
      const place = supposed !== undefined && isOpen(supposed) ? supposed : open[Math.floor(open.length / 2)];
      if (place === undefined) await this.ask(middle(inside, outside));
      else await this.ask(between(place + side * margin) ? place + side * margin : place - side * margin);
    }
  }
}

/** Hints that shorten the search for an end. */
export interface SearchHints {
  /** Estimated offset of the endpoint's clock from ours, in seconds. */
  centre?: number | undefined;
  /** Supposed offset of the end in seconds, which is probed first. */
  supposed?: number | undefined;
  /** Required precision of the end, in seconds. */
  exactSeconds?: number;
}

/** The mean; the geometric mean over orders of magnitude. */
function middle(inside: number, outside: number): number {
  const far = Math.max(Math.abs(inside), Math.abs(outside));
  const near = Math.max(1, Math.min(Math.abs(inside), Math.abs(outside)));
  const wide = Math.sign(inside) === Math.sign(outside) && far > 10 * near;
  return wide ? Math.sign(outside) * Math.round(Math.sqrt(far * near)) : Math.round((inside + outside) / 2);
}
