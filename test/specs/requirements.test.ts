import { describe, expect, expectTypeOf, it } from 'vitest';
import { isRequirementId, requirement, requirements } from '../../specs/requirements/catalogue.ts';
import type { Requirement, RequirementId } from '../../specs/requirements/catalogue.ts';
import { service } from '../../specs/requirements/service.ts';
import { surfaceOf, surfaces } from '../../specs/surfaces.ts';

/** The headings of the interface document, verbatim. */
const headings = [
  'What the service does',
  'Resources and their fields',
  'Contact (API)',
  'Appointment (API and webhook shape)',
  'Key responses',
  'CRM webhook: contactData',
  'CRM webhook: projectData',
  'Own-AI assistant (agent)',
  'Skill (attached to an assistant)',
  'Chat history turn',
  'Auto-reply',
  'States and transitions',
  'Appointment',
  'Message (POST /v1/messages)',
  'Auto-reply of a conversation',
  'CRM webhook answer',
  'Agent reply (POST .../agent-replies) status',
  'Endpoints',
  'API v1',
  'CRM webhook (the service calls the integrator)',
  'Deep links',
  'Own-AI endpoints (the service calls the integrator)',
  'Authentication',
  'Events',
  'CRM webhook events',
  'API webhook events',
  'Own-AI chat event: message.received',
  'Own-AI phone frames (JSON over WebSocket)',
  'Skills as tools',
  'Errors',
  'Limits',
  'Versioning',
];

/** Longest statement or fix that a summary line still shows well, in characters. */
const longest = 400;

const ids = Object.keys(requirements) as RequirementId[];
const entries: [string, Requirement][] = Object.entries(requirements);
const everything = [...entries, ...Object.entries(service)] as [string, { section: string; statement: string }][];

/** A sentence begins with a capital, a number, or a name that the interface writes in lower case. */
const sentence =
  /^(?:[A-Z0-9]|[a-z]+[A-Z]|(?:agent-replies|history|message\.received|name|note|skills|start|status)\b).*\.$/u;

function repeated(texts: string[]): string[] {
  return texts.filter((text, at) => texts.indexOf(text) !== at);
}

describe('every id', () => {
  it('is a slug under one of the surfaces', () => {
    const slug = new RegExp(`^(?:${surfaces.join('|')})/[a-z0-9]+(?:-[a-z0-9]+)*$`);
    expect(ids.filter((id) => !slug.test(id))).toEqual([]);
    expect(Object.keys(service).filter((id) => !/^service\/[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it('belongs to its surface, and each surface has some', () => {
    expect(surfaceOf('own-ai-chat/refuses-stale-timestamp')).toBe('own-ai-chat');
    expect([...new Set(ids.map(surfaceOf))]).toEqual([...surfaces]);
  });

  it('is checked by the compiler', () => {
    expectTypeOf<'own-ai-chat/refuses-stale-timestamp'>().toExtend<RequirementId>();
    expectTypeOf<'api-webhooks/refuses-stale-timestamp'>().toExtend<RequirementId>();
    // @ts-expect-error a misspelt id must not compile
    expect(() => requirement('own-ai-chat/refuses-stale-timestmap').level).toThrow(TypeError);
  });

  it('is recognised in a string from outside', () => {
    expect(isRequirementId('crm-webhook/lookup-within-two-seconds')).toBe(true);
    expect(isRequirementId('crm-webhook/lookup')).toBe(false);
    expect(isRequirementId('toString')).toBe(false);
  });
});

describe('every entry', () => {
  it('has a section that is a heading of the interface document', () => {
    expect(everything.filter(([, { section }]) => !headings.includes(section)).map(([id]) => id)).toEqual([]);
  });

  it('has a level', () => {
    expect(entries.filter(([, { level }]) => !['must', 'should', 'advice'].includes(level))).toEqual([]);
  });

  it('is written in sentences that fit a summary', () => {
    const texts = [
      ...everything.map(([id, { statement }]) => [id, statement] as const),
      ...entries.map(([id, { remediation }]) => [id, remediation] as const),
    ];
    expect(texts.filter(([, text]) => !sentence.test(text))).toEqual([]);
    expect(texts.filter(([, text]) => text.length > longest || /\s\s|\n/.test(text))).toEqual([]);
  });

  it('differs from the others of its surface', () => {
    for (const surface of surfaces) {
      const own = entries.filter(([id]) => id.startsWith(`${surface}/`)).map(([, entry]) => entry);
      expect(repeated(own.flatMap(({ statement, remediation }) => [statement, remediation]))).toEqual([]);
    }
    expect(repeated(Object.values(service).map(({ statement }) => statement))).toEqual([]);
  });

  it('gives a reason if it cannot be observed from outside', () => {
    const reasons = entries.flatMap(([id, { unobservable }]) =>
      unobservable === undefined ? [] : [[id, unobservable]],
    );
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.filter(([, reason]) => (reason ?? '').split(' ').length < 5)).toEqual([]);
  });

  it('is plain data', () => {
    expect(JSON.parse(JSON.stringify(requirements))).toEqual(requirements);
  });
});

describe('signature cases', () => {
  it('are the same musts for API webhooks and own-AI chat, with two more about the secret on chat', () => {
    const refusals = (surface: string): string[] =>
      entries
        .filter(
          ([id, { level }]) =>
            id.startsWith(`${surface}/refuses-`) && level === 'must' && !id.includes('/refuses-with-'),
        )
        .map(([id]) => id.slice(surface.length + 1));
    const shared = refusals('api-webhooks');
    expect(shared).toHaveLength(16);
    expect(refusals('own-ai-chat').toSorted()).toEqual(
      [...shared, 'refuses-decoded-secret', 'refuses-stripped-secret'].toSorted(),
    );
  });
});
