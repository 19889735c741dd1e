import { describe, expect, it } from 'vitest';
import { limits, smallKilobytes } from '../../specs/limits.ts';
import { frameAspects } from '../../suites/own-ai-phone/frame-aspects.ts';
import { frame } from './made-observations.ts';

/** The judgement of one requirement about a frame of this size. */
function judgeSize(requirement: string, bytes: number): unknown {
  const aspect = frameAspects.find((one) => one.requirement === requirement);
  if (!aspect) throw new Error(`no aspect for ${requirement}`);
  const body = { frame: frame('ai', {}, { bytes }), index: 0, offered: [], skills: [], namedBefore: [] };
  return aspect.judge(body);
}

describe('the size of a frame', () => {
  it('may be 64 KB, and no byte more', () => {
    const id = 'own-ai-phone/frame-within-64-kb';
    expect(judgeSize(id, limits.phoneFrameBytes)).toBe(true);
    expect(judgeSize(id, limits.phoneFrameBytes + 1)).toMatchObject({
      received: `${limits.phoneFrameBytes + 1}, which ends the connection`,
    });
  });

  it('should be 64,000 bytes, which is not judged above 64 KB', () => {
    const id = 'own-ai-phone/frame-within-64000-bytes';
    expect(judgeSize(id, smallKilobytes)).toBe(true);
    expect(judgeSize(id, smallKilobytes + 1)).toMatchObject({ received: String(smallKilobytes + 1) });
    expect(judgeSize(id, limits.phoneFrameBytes)).toMatchObject({ received: String(limits.phoneFrameBytes) });
    expect(judgeSize(id, limits.phoneFrameBytes + 1)).toBe('nothing');
  });
});
