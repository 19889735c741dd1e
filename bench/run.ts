import { readdirSync } from 'node:fs';

// Benches run one after the other in this process; each prints ratios against a baseline of the same run.
for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.bench.ts'))) {
  await import(`./${file}`);
}
