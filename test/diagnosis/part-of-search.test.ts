import { describe, expect, it } from 'vitest';
import type { CauseSearch, StagedCause } from '../../diagnosis/diagnose.ts';
import { agreeing, partFor, remainderFor } from '../../diagnosis/part-of-search.ts';
import type { CheckResult } from '../../specs/generated/types.ts';

function check(requirement: string, over: Partial<CheckResult> = {}): CheckResult {
  const surface = 'own-ai-chat';
  const id = `${surface}/${requirement}`;
  return {
    id,
    requirement: id,
    surface,
    title: id,
    level: 'must',
    verdict: 'fail',
    durationMs: 1,
    evidence: [],
    ...over,
  };
}

const searched = (over: Partial<CauseSearch>): CauseSearch => ({
  diagnosis: {} as CauseSearch['diagnosis'],
  confirmed: [],
  suspects: [],
  closedAt: undefined,
  finished: new Set(['authentication', 'refusals']),
  ...over,
});
const ids = { id: 'answer/id-not-text', stage: 'protocol', probe: 'answer' } satisfies StagedCause;
const field = { id: 'payload/unknown-field', stage: 'protocol', probe: 'payload' } satisfies StagedCause;
const everyMessage = { id: 'payload/every-message', stage: 'protocol', probe: 'payload' } satisfies StagedCause;
const unsigned = { id: 'signature/not-checked', stage: 'authentication', probe: 'signature' } satisfies StagedCause;
const locked = { id: 'deduplication/one-per-contact', stage: 'protocol', probe: 'payload' } satisfies StagedCause;

const causeFor = (requirement: string, search: Partial<CauseSearch>, over: Partial<CheckResult> = {}) => {
  const part = partFor(check(requirement, over), searched(search));
  return part?.found?.id ?? part?.suspects[0]?.id;
};

describe('the part of a search for one failure', () => {
  it('is the only cause that the same probe has found, and never that of another probe', () => {
    expect(causeFor('has-a-documented-field', { confirmed: [ids] })).toBe(ids.id);
    expect(causeFor('accepts-unknown-values', { confirmed: [ids] })).toBeUndefined();
    expect(causeFor('accepts-unknown-values', { confirmed: [field] })).toBe(field.id);
    const suspects = [{ ...ids, why: 'It was confirmed as well.' }];
    expect(causeFor('accepts-unknown-values', { confirmed: [field], suspects })).toBeUndefined();
  });

  it('is a weakness that names it, although no message is accepted', () => {
    const search = { confirmed: [everyMessage, unsigned], closedAt: 'protocol' } as const;
    expect(causeFor('refuses-missing-signature', search)).toBe(unsigned.id);
    expect(causeFor('accepts-unknown-values', search)).toBe(everyMessage.id);
    // Pings show whether signatures are checked.
    expect(causeFor('refuses-missing-signature', { ...search, confirmed: [everyMessage] })).toBeUndefined();
    expect(causeFor('refuses-missing-signature', { confirmed: [everyMessage], closedAt: 'http' })).toBe(
      everyMessage.id,
    );
  });

  it('excludes weaknesses where the check could not run', () => {
    const blocked = { verdict: 'blocked', code: 'control-failed' } as const;
    expect(causeFor('refuses-missing-signature', { confirmed: [unsigned] }, blocked)).toBeUndefined();
    expect(causeFor('refuses-missing-signature', { confirmed: [unsigned, everyMessage] }, blocked)).toBe(
      everyMessage.id,
    );
  });

  it('is a lock by contact only if its own probe finds nothing, for what a second event of a contact makes fail', () => {
    const search = searched({ confirmed: [locked] });
    const remainder = (requirement: string) => remainderFor(check(requirement), search)?.found?.id;
    expect(causeFor('handles-similar-messages', search)).toBeUndefined();
    expect(remainder('handles-similar-messages')).toBe(locked.id);
    expect(remainder('answers-messages')).toBe(locked.id);
    for (const requirement of ['accepts-valid-signature', 'answer-is-a-json-object', 'answers-in-time']) {
      expect(causeFor(requirement, search), requirement).toBeUndefined();
      expect(remainder(requirement), requirement).toBeUndefined();
    }
  });

  it('is a possible cause that names it only if its own probe finds nothing', () => {
    const search = searched({
      suspects: [{ id: 'payload/at-random', stage: 'protocol', why: 'One of two was refused.' }],
    });
    expect(causeFor('accepts-unknown-values', search)).toBeUndefined();
    expect(remainderFor(check('accepts-unknown-values'), search)?.suspects[0]?.id).toBe('payload/at-random');
    for (const requirement of ['answers-in-time', 'accepts-redelivery', 'handles-similar-messages'])
      expect(remainderFor(check(requirement), search), requirement).toBeUndefined();
  });
});

describe('the result of a probe for one failure', () => {
  const part = { found: { id: 'payload/map-name' }, suspects: [] } as const;

  it('is replaced by the cause that the same probe has found in the search, as whose symptom it counts', () => {
    expect(agreeing(part, 'payload', searched({ confirmed: [field] })).found?.id).toBe(field.id);
    expect(agreeing(part, 'payload', searched({ confirmed: [ids] })).found?.id).toBe(part.found.id);
    const suspects = [{ ...part.found, why: 'It was confirmed as well.' }];
    expect(agreeing(part, 'payload', searched({ confirmed: [field], suspects })).found?.id).toBe(part.found.id);
    expect(agreeing({ suspects: [] }, 'payload', searched({ confirmed: [field] })).found).toBeUndefined();
  });

  it('is omitted where it is a possible cause of authentication that the search has ruled out, not one that it has not reached', () => {
    const possible = { suspects: [{ id: 'signature/refused-afterwards', why: 'One was refused.' }] } as const;
    expect(agreeing(possible, 'signature', searched({}))).toEqual({ suspects: [] });
    expect(agreeing(possible, 'signature', searched({ finished: new Set() }))).toEqual(possible);
    expect(agreeing(possible, 'signature', undefined)).toEqual(possible);
    expect(agreeing(possible, 'payload', searched({}))).toEqual(possible);
  });
});
