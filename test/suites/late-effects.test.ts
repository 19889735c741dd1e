import { describe, expect, it } from 'vitest';
import type { CheckKit } from '../../harness/checks/check.ts';
import { effectsAbout } from '../../suites/late-effects.ts';

/** A run whose endpoint sent these requests to API v1: path and body. */
function kitWith(requests: readonly (readonly [string, unknown])[]): CheckKit {
  const effects = requests.map(([path, body]) => ({
    arrival: { request: { url: `http://127.0.0.1${path}`, body: Buffer.from(JSON.stringify(body)) } },
  }));
  return { inbox: { apiEffects: { after: () => effects } } } as unknown as CheckKit;
}

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
