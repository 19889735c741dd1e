import { withFault, type PlantableFault } from './operators.ts';

/** Name of the global function that decides whether a fault is in effect. */
export const switchName = 'isPlanted';

/** The name of a fault in the switches: the path of its file and its number there. */
export function keyOf(path: string, number: number): string {
  return `${path}#${number}`;
}

interface Place {
  start: number;
  end: number;
  faults: { fault: PlantableFault; key: string }[];
  within: Place[];
}

/**
 * The source with all of its faults, each behind a switch: `isPlanted('a.ts#0') ? b > c : b >= c`. So one load serves
 * every fault.
 *
 * @param faults in the order of {@link plantableFaults}
 */
export function withSwitches(text: string, faults: readonly PlantableFault[]): string {
  const whole: Place = { start: 0, end: text.length, faults: [], within: [] };
  const outermostFirst = faults
    .map((fault, number) => ({ fault, key: keyOf(fault.path, number) }))
    .toSorted((a, b) => {
      const [one, other] = [a.fault.expression, b.fault.expression];
      return one.start - other.start || other.end - one.end;
    });
  const open = [whole];
  for (const one of outermostFirst) {
    const { start, end } = one.fault.expression;
    while ((open.at(-1)?.end ?? 0) < end) open.pop();
    const around = open.at(-1) ?? whole;
    if (around !== whole && around.start === start && around.end === end) {
      around.faults.push(one);
    } else {
      const place = { start, end, faults: [one], within: [] };
      around.within.push(place);
      open.push(place);
    }
  }
  return render(text, whole);
}

function render(text: string, { start, end, faults, within }: Place): string {
  let at = start;
  let rendered = '';
  for (const inner of within) {
    rendered += text.slice(at, inner.start) + render(text, inner);
    at = inner.end;
  }
  rendered += text.slice(at, end);
  for (const { fault, key } of faults) {
    const faulty = withFault(text.slice(start, end), {
      start: fault.start - start,
      end: fault.end - start,
      after: fault.after,
    });
    rendered = `(${switchName}('${key}') ? (${faulty}) : (${rendered}))`;
  }
  return rendered;
}
