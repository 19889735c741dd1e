import { describe, expect, it } from 'vitest';
import { KeptAnswers } from '../../harness/wire/kept-answers.ts';
import type { Observation } from '../../harness/wire/observation.ts';

const observed = (bytes: number, truncated = false) =>
  ({ answer: { outcome: 'answered', status: 200, headers: [], body: Buffer.alloc(bytes, 'a'), truncated } }) as never;
const kept = ({ answer }: Observation) =>
  answer.outcome === 'answered' ? { bytes: answer.body.length, truncated: answer.truncated } : answer.outcome;

describe('answers kept until the end of the run', () => {
  it('are complete while there is room, and then only the beginning of long ones', () => {
    const answers = new KeptAnswers();
    const sizes = Array.from({ length: 65 }, () => kept(answers.keep(observed(262_144))));
    expect(sizes.slice(0, 64)).toEqual(Array(64).fill({ bytes: 262_144, truncated: false }));
    expect(sizes[64]).toEqual({ bytes: 4_096, truncated: true });
    expect(kept(answers.keep(observed(4_096)))).toEqual({ bytes: 4_096, truncated: false });
  });

  it('take no room if they were too long to be read completely', () => {
    const answers = new KeptAnswers();
    for (let count = 0; count < 100; count++) {
      expect(kept(answers.keep(observed(262_144, true)))).toEqual({ bytes: 4_096, truncated: true });
    }
    expect(kept(answers.keep(observed(262_144)))).toEqual({ bytes: 262_144, truncated: false });
  });
});
