import { describe, expect, it } from 'vitest';
import type { CheckKit } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import { FindingError } from '../../harness/checks/finding.ts';
import {
  effectsAbout,
  judgeLateRefusals,
  judgeLateRepetition,
  type TracedDelivery,
} from '../../suites/late-effects.ts';
import { answered, exchange } from './made-observations.ts';

/** A run whose endpoint sent these requests to API v1: path and body. */
function kitWith(requests: readonly (readonly [string, unknown])[]): CheckKit {
  const effects = requests.map(([path, body]) => ({
    arrival: { request: { url: `http://127.0.0.1${path}`, body: Buffer.from(JSON.stringify(body)) } },
    content: `${path} ${JSON.stringify(body)}`,
    signature: `POST ${path}`,
  }));
  const notExercised = (why: string) => {
    throw new NotExercised(why);
  };
  return {
    inbox: { apiEffects: { after: () => effects } },
    settings: { retryWatchMs: 0 },
    notExercised,
  } as unknown as CheckKit;
}

/** A delivery about this project, answered now. */
function delivered(projectId: number): TracedDelivery {
  return { subject: { projectId }, observation: exchange(answered(200)), answeredAt: performance.now() };
}

const noteAbout = (projectId: number, text = 'a') => ['/v1/notes', { projectId, text }] as const;

describe('the requests to API v1 about an event', () => {
  const inBody = ['/v1/notes', { projectId: 7, text: 'a' }] as const;
  const inPath = ['/v1/projects/7/messages', { text: 'b' }] as const;
  const ofContact = ['/v1/notes', { contactId: 9 }] as const;
  const unrelated = ['/v1/projects/70/messages', { projectId: 8 }] as const;
  const kit = kitWith([inBody, inPath, ofContact, unrelated]);
  const pathsAbout = (subject: Parameters<typeof effectsAbout>[1]) =>
    effectsAbout(kit, subject).map(({ arrival }) => new URL(arrival.request.url).pathname);

  it('contain its project in the body or in the path', () => {
    expect(pathsAbout({ projectId: 7 })).toEqual([inBody[0], inPath[0]]);
  });

  it('contain another of its ids in the body only', () => {
    expect(pathsAbout({ contactId: 9 })).toEqual([ofContact[0]]);
    expect(pathsAbout({ contactId: 7 })).toEqual([]);
  });

  it('are none if the event has no id', () => {
    expect(pathsAbout({ projectId: undefined })).toEqual([]);
  });
});

describe('a repeated delivery, judged at the end of the run', () => {
  const judge = (...requests: Parameters<typeof kitWith>[0]) =>
    judgeLateRepetition(kitWith(requests), delivered(2), [{ projectId: 1 }]);

  it('must not lead to the same request more often than a single one', async () => {
    await expect(judge(noteAbout(1), noteAbout(2), noteAbout(2))).rejects.toThrow(FindingError);
    await expect(judge(noteAbout(1), noteAbout(2))).resolves.toBeUndefined();
    await expect(judge(noteAbout(1), noteAbout(1), noteAbout(2), noteAbout(2))).resolves.toBeUndefined();
    await expect(judge(noteAbout(1), noteAbout(2), noteAbout(2, 'b'))).resolves.toBeUndefined();
  });

  it('is not judged if a single one led to no request, or it led to none itself', async () => {
    await expect(judge(noteAbout(2), noteAbout(2))).rejects.toThrow(NotExercised);
    await expect(judge(noteAbout(1))).rejects.toThrow(NotExercised);
  });
});

describe('refused deliveries, judged at the end of the run', () => {
  const judge = (projects: readonly number[], ...requests: Parameters<typeof kitWith>[0]) =>
    judgeLateRefusals(
      kitWith(requests),
      projects.map((id) => ({ ...delivered(id), what: 'a forged event' })),
      [{ projectId: 1 }],
    );

  it('must not lead to a request', async () => {
    await expect(judge([2], noteAbout(1), noteAbout(2))).rejects.toThrow(
      'expected no effect of a forged event, which was refused, received a request to API v1: POST /v1/notes',
    );
    await expect(judge([2, 3], noteAbout(1), noteAbout(3))).rejects.toThrow(FindingError);
    await expect(judge([2], noteAbout(1))).resolves.toBeUndefined();
    await expect(judge([2, 3], noteAbout(1))).resolves.toBeUndefined();
  });

  it('are not judged if none was refused, or accepted ones lead to no request', async () => {
    await expect(judge([], noteAbout(1))).rejects.toThrow('No delivery was refused with a 3xx or 4xx status.');
    await expect(judge([2], noteAbout(2))).rejects.toThrow('No delivery of this kind led to a request');
  });
});
