import { sample, type RecordedMessage } from './recorded.ts';
import type { RuleCase } from './rule-case.ts';
import { call, signedCases } from './signed-cases.ts';

type Frames = NonNullable<RecordedMessage['frames']>;

const skills = [
  { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
  { id: 2, key: 'care', name: 'Care', kind: 'forward', announcement: null },
  { id: 3, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: null },
];
const started = { from: 'service', at: 0, value: { ...sample.sessionStarted(), skills } } as const;
const prompt = (at: number) => ({ from: 'service', at, value: { type: 'prompt', text: 'Are you open?' } }) as const;
const says = (at: number, value: unknown) => ({ from: 'ai', at, value }) as const;
const whole = (at: number) => says(at, { type: 'text', text: 'Yes.', last: true });
const ended = (at: number) => ({ from: 'service', at, value: { type: 'session.ended' } }) as const;

/** Frames that meet a rule, and frames that break it. */
const frames: Readonly<Record<string, readonly [right: unknown, wrong: unknown]>> = {
  'frame-is-json': [{ type: 'text', text: 'Yes.' }, 'Yes.'],
  'frame-within-64-kb': [
    { type: 'text', text: 'Yes.' },
    { type: 'text', text: 'x'.repeat(65_536) },
  ],
  'frame-within-64000-bytes': [
    { type: 'text', text: 'Yes.' },
    { type: 'text', text: 'x'.repeat(64_500) },
  ],
  'frame-type-is-known': [
    { type: 'text', text: 'Yes.' },
    { type: 'speech', text: 'Yes.' },
  ],
  'frame-has-a-documented-field': [{ text: 'Yes.' }, { data: { text: 'Yes.' } }],
  'text-is-there': [{ type: 'text', text: 'Yes.' }, { type: 'text' }],
  'text-is-a-string': [
    { type: 'text', text: 'Yes.' },
    { type: 'text', text: 7 },
  ],
  'last-is-a-boolean': [
    { type: 'text', text: 'Yes.', last: true },
    { type: 'text', text: 'Yes.', last: 'true' },
  ],
  'text-within-4000-characters': [
    { type: 'text', text: 'Yes.' },
    { type: 'text', text: 'x'.repeat(4_001) },
  ],
  'action-is-known': [
    { type: 'action', action: 'end' },
    { type: 'action', action: 'hangup' },
  ],
  'note-within-500-characters': [
    { type: 'action', action: 'end', note: 'n' },
    { type: 'action', action: 'end', note: 'n'.repeat(501) },
  ],
  'members-have-their-types': [
    { type: 'action', action: 'end', note: 'n' },
    { type: 'action', action: 'end', note: 7 },
  ],
  'no-null-members': [
    { type: 'text', text: 'Yes.' },
    { type: 'text', text: 'Yes.', note: null },
  ],
  'skill-frame-names-a-skill': [{ type: 'skill', key: 'sales' }, { type: 'skill' }],
  'at-most-five-skills': [
    { type: 'skill', key: 'sales' },
    { type: 'skill', executeSkills: [1, 2, 3, 4, 5, 6] },
  ],
  'at-most-one-forward': [
    { type: 'skill', key: 'sales' },
    { type: 'skill', executeSkills: ['sales', 'care'] },
  ],
  'names-known-skills': [
    { type: 'skill', key: 'sales' },
    { type: 'skill', key: 'unheard-of' },
  ],
  'names-only-offered-skills': [
    { type: 'skill', key: 'sales' },
    { type: 'skill', key: 'billing' },
  ],
  'names-each-skill-once': [
    { type: 'skill', key: 'sales' },
    { type: 'skill', executeSkills: ['urgent', 'urgent'] },
  ],
};

const withFrames = (...all: Frames) => [call(all)];
const closedBy = (by: string): Partial<RecordedMessage> => ({
  over: (entry) => {
    entry['_closed'] = { by, atMs: 9_000, code: 1000, reason: '', clean: true };
  },
});

export const phoneCases: readonly RuleCase[] = [
  ...signedCases('own-ai-phone'),
  ...Object.entries(frames).map(([slug, [right, wrong]]): RuleCase => ({
    requirement: `own-ai-phone/${slug}`,
    right: withFrames(started, prompt(1), says(2, right)),
    wrong: withFrames(started, prompt(1), says(2, wrong)),
  })),
  {
    requirement: 'own-ai-phone/frame-is-text',
    right: withFrames(started, whole(2)),
    wrong: [
      call([started, whole(2)], {
        over: (entry) => {
          const [, last] = entry['_webSocketMessages'] as Record<string, unknown>[];
          if (last) Object.assign(last, { opcode: 2, data: Buffer.from(String(last['data'])).toString('base64') });
        },
      }),
    ],
  },
  {
    requirement: 'own-ai-phone/leaves-the-greeting-to-the-service',
    right: withFrames(started, prompt(1), whole(2)),
    wrong: withFrames(started, whole(0.5), prompt(1), whole(2)),
  },
  {
    requirement: 'own-ai-phone/answers-a-prompt',
    right: withFrames(started, prompt(1), prompt(40), whole(41)),
    wrong: withFrames(started, prompt(1), ended(40)),
  },
  {
    requirement: 'own-ai-phone/answers-the-first-prompt',
    right: withFrames(started, prompt(1), whole(2), prompt(3)),
    wrong: withFrames(started, prompt(1), prompt(40), whole(41)),
  },
  {
    requirement: 'own-ai-phone/first-piece-within-timeout',
    right: withFrames(started, prompt(1), whole(2)),
    wrong: withFrames(started, prompt(1), whole(13)),
  },
  {
    requirement: 'own-ai-phone/closes-each-answer',
    right: withFrames(started, prompt(1), whole(2)),
    wrong: withFrames(started, prompt(1), says(2, { type: 'text', text: 'Yes.' }), ended(40)),
  },
  {
    requirement: 'own-ai-phone/keeps-the-call-open',
    right: [call([started, prompt(1), whole(2)], closedBy('service'))],
    wrong: [call([started, prompt(1), whole(2)], closedBy('ai'))],
  },
];
