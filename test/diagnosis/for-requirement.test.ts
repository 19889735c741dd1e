import { describe, expect, it } from 'vitest';
import { probeFor, unprobed } from '../../diagnosis/for-requirement.ts';
import { isRequirementId, requirements, type Requirement } from '../../specs/requirements/catalogue.ts';

const diagnosed = /^(crm-webhook|api-webhooks|own-ai-chat|own-ai-phone)\//;
const reasons = new Map(
  Object.entries(unprobed).flatMap(([reason, ids]) => ids.map((id): [string, string] => [id, reason])),
);

describe('the probe for a requirement', () => {
  it('is named for each must and should that can be observed, or there is a reason why none is', () => {
    const open = Object.entries<Requirement>(requirements)
      .filter(([id, { level, unobservable }]) => diagnosed.test(id) && level !== 'advice' && unobservable === undefined)
      .map(([id]) => id)
      .filter((id) => probeFor(id) === undefined && !reasons.has(id));
    expect(open).toEqual([]);
  });

  it('is not named for what has a reason against it, nor for what is not a requirement', () => {
    expect([...reasons.keys()].filter((id) => probeFor(id) !== undefined)).toEqual([]);
    expect([...reasons.keys()].filter((id) => !isRequirementId(id))).toEqual([]);
    expect(probeFor('own-ai-chat/no-such-requirement')).toBeUndefined();
  });
});
