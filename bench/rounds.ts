/** Rounds of one bench: enough for a median on a noisy machine. */
const rounds = 7;

/** A measurement: resolves to the cost per case. */
export type Measure = () => Promise<number>;

/**
 * Measures a subject and its baseline alternately, so that the same noise affects both, and prints medians, spread and
 * the ratio of the medians. `unit` is that of both measures. Resolves to the median of the subject and that ratio.
 */
export async function compare(
  name: string,
  unit: string,
  baseline: Measure,
  subject: Measure,
): Promise<{ subject: number; ratio: number }> {
  await baseline();
  await subject();
  const [bare, ours]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    bare.push(await baseline());
    ours.push(await subject());
  }
  console.log(`${name}`);
  console.log(`  baseline ${describe(bare)} ${unit}`);
  console.log(`  ours     ${describe(ours)} ${unit}`);
  const ratio = median(ours) / median(bare);
  console.log(`  ratio    ${ratio.toFixed(2)}`);
  return { subject: median(ours), ratio };
}

function describe(samples: number[]): string {
  return `median ${median(samples).toFixed(3)} (${Math.min(...samples).toFixed(3)} to ${Math.max(...samples).toFixed(3)})`;
}

function median(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? NaN;
}
