import { describe, expect, it } from 'vitest';
import { boundedEvidence } from '../../diagnosis/bounded-evidence.ts';

describe('evidence', () => {
  it('shows equal lines in a row once, with their number', () => {
    expect(boundedEvidence(['a.', 'b.', 'b.', 'b.', 'a.'], 6)).toEqual(['a.', 'b (3 times).', 'a.']);
  });

  it('omits lines in between, and states how many and where they are', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`);
    expect(boundedEvidence(lines, 6, 'elsewhere')).toEqual([
      'line 0',
      'line 1',
      '(4 more; elsewhere)',
      'line 6',
      'line 7',
      'line 8',
    ]);
  });
});
