import type { Seams } from './endpoint.ts';

type Seam = (...given: unknown[]) => unknown;

/**
 * Seams that two faults can share. Changes of the same request or answer are excluded: the second may undo the first.
 */
const chained: Readonly<Record<string, (one: Seam, other: Seam) => Seam>> = {
  // The first refusal counts.
  read:
    (one, other) =>
    (...given) =>
      one(...given) ?? other(...given),
};

/** The replaced seams, such as `hooks.read`, `links` or `brand`. */
export function seamsOf(seams: Seams): string[] {
  return Object.entries(seams).flatMap(([part, replaced]) =>
    isGroup(replaced) ? Object.keys(replaced).map((name) => `${part}.${name}`) : [part],
  );
}

/** The seams of two endpoints in one; `undefined` where both replace the same seam in ways that exclude each other. */
export function mergeSeams(one: Seams, other: Seams): Seams | undefined {
  const merged = new Map<string, unknown>(Object.entries(one));
  for (const [part, second] of Object.entries(other)) {
    const both = merged.has(part) ? mergePart(merged.get(part), second) : second;
    if (both === undefined) return undefined;
    merged.set(part, both);
  }
  return Object.fromEntries(merged);
}

function mergePart(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...new Set<unknown>([...first, ...second])];
  if (!isGroup(first) || !isGroup(second)) return first === second ? first : undefined;
  const merged = { ...first, ...second };
  for (const name of Object.keys(first)) {
    if (!(name in second)) continue;
    const chain = chained[name];
    if (!chain) return undefined;
    merged[name] = chain(first[name] as Seam, second[name] as Seam);
  }
  return merged;
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
