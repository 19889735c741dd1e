import { expect, it } from 'vitest';
import type { Capture } from '../../harness/capture/capture.ts';
import { skillsIn } from '../../suites/capture/recorded-skills.ts';
import { config } from './recorded.ts';

const skill = (id: number, key: string) => ({ id, key, name: key, kind: 'alert' as const, announcement: null });
const frame = (from: 'service' | 'ai', key: string) => ({ from, value: { skills: [skill(7, key)] } });

it('knows the skills that the service offers in a call, and none that the AI invents', () => {
  const calls = [{ frames: [frame('service', 'offered'), frame('ai', 'invented')] }];
  const capture = { chat: [], calls } as unknown as Capture;
  const keys = skillsIn(capture, { ...config, skills: [skill(1, 'configured')] }).map(({ key }) => key);
  expect(keys).toEqual(['configured', 'offered']);
});
