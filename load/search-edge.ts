import type { LoadStep, LoadSurface } from '../specs/generated/types.ts';

/** The highest load that was met and the lowest that was missed, and why the search ended. */
export type LoadEdge = Pick<LoadSurface, 'meets' | 'misses' | 'ended'>;

/** How a search measures and when it ends. */
export interface EdgeSearch {
  first: number;
  most: number;
  /** Rounds a load between two others, for example to whole calls. */
  round: (load: number) => number;
  measure: (load: number) => Promise<LoadStep['outcome']>;
  /** Sends single events until one is answered in time again. Returns the outcome of the last one. */
  recover: () => Promise<LoadStep['outcome']>;
  /** Whether no further step may begin. */
  isOver: () => boolean;
}

/** Ratio of the lowest missed load to the highest met one at which the edge is known: finer differences vary from step to step. */
const edgeRatio = 1.2;

/** Doubles the load until a deadline is missed, then halves the interval (on a logarithmic scale) until the edge is known. */
export async function searchEdge({ first, most, round, measure, recover, isOver }: EdgeSearch): Promise<LoadEdge> {
  let meets: number | null = null;
  let misses: number | null = null;
  const end = (ended: LoadEdge['ended']): LoadEdge => ({ meets, misses, ended });
  for (let load = Math.min(first, most); ;) {
    if (isOver()) return end('maximum-time');
    let outcome = await measure(load);
    // A pause of this machine may not come again, and a short step may have had no lookup.
    if (outcome === 'own-lag' || outcome === 'nothing-timed') outcome = await measure(load);
    if (outcome !== 'met' && outcome !== 'missed') return end(outcome);
    if (outcome === 'met') {
      meets = load;
      if (load >= most) return end('maximum-load');
    } else {
      misses = load;
      if (meets === null) return end('first-load');
      const after = await recover();
      if (after !== 'met') return end(after === 'missed' ? 'not-recovered' : after);
    }
    if (misses === null) {
      load = Math.min(2 * load, most);
      continue;
    }
    const next = round(Math.sqrt(Number(meets) * misses));
    if (misses / Number(meets) <= edgeRatio || next <= Number(meets) || next >= misses) return end('edge');
    load = next;
  }
}
