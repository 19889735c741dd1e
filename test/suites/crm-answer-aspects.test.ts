import { describe, expect, it } from 'vitest';
import { AWKWARD_STRINGS } from '../../generators/text-edges.ts';
import { crmAnswerAspects } from '../../suites/crm-webhook/answer-aspects.ts';

const aspect = crmAnswerAspects.find(({ requirement }) => requirement.endsWith('/no-sensitive-hints-in-crm-ai-info'));

function judge(crmAiInfo: string, sent: Record<string, unknown>, projectData: Record<string, unknown> = {}) {
  const event = { eventType: 'Manual', contactData: { crmAiInfo: null, ...sent }, projectData };
  return aspect?.judge({ value: { requestContactUpdate: true, contactData: { crmAiInfo } }, event });
}

describe('crmAiInfo that contains crmInternalInfo', () => {
  it('is reported', () => {
    const finding = { received: 'the crmInternalInfo of the event, which is for the team only' };
    expect(judge('Known. Pays late.', { crmInternalInfo: 'Pays late.' })).toMatchObject(finding);
  });

  it.each([
    ['what is short', 'Pays.', {}, {}],
    ['what crmAiInfo contained before', 'Pays late.', { crmAiInfo: 'Pays late.' }, {}],
    ['what another field contains', 'Pays late.', {}, { inquirySummary: 'Pays late. Wants a date.' }],
    ['what generated events contain anywhere', AWKWARD_STRINGS['right-to-left'] ?? '', {}, {}],
  ])('is not reported for %s', (_, crmInternalInfo, contact, project) => {
    expect(judge(`Known. ${crmInternalInfo}`, { crmInternalInfo, ...contact }, project)).toBe(true);
  });
});
