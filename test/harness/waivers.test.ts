import { describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { waiverProblems } from '../../harness/config/waiver-problems.ts';
import { requirement, requirements, type RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Waiver } from '../../specs/generated/types.ts';

const good: Waiver = { requirement: 'own-ai-chat/answers-ping', reason: 'Ticket 12.', until: '2027-01-31' };
const unseen = (Object.keys(requirements) as RequirementId[]).find((id) => requirement(id).unobservable !== undefined);

function resolve(...waivers: unknown[]) {
  return resolveConfig({ waivers }, {}, 'the config');
}

function problemOf(...waivers: unknown[]): string {
  try {
    resolve(...waivers);
  } catch (error) {
    expect(error).toBeInstanceOf(HarnessFault);
    expect(error).toHaveProperty('code', 'config-invalid');
    return (error as HarnessFault).message;
  }
  throw new Error('expected a fault, received none');
}

it('the kinds of problems differ, independent of their messages', () => {
  const wrong = [
    { requirement: 'a' },
    { requirement: `${good.requirement}#x` },
    { requirement: unseen ?? '' },
    { reason: '' },
  ];
  const kinds = wrong.flatMap((one) => waiverProblems([{ ...good, ...one }]).map(({ kind }) => kind));
  expect(kinds).toEqual(['unknown-requirement', 'one-check', 'unobservable', 'no-reason']);
  expect(waiverProblems([good, good]).map(({ kind }) => kind)).toEqual(['second-waiver']);
});

describe('waivers of requirements that the catalogue does not have', () => {
  const own = { ...good, requirement: 'own-ai-chat/acme-names-no-price' };
  const kinds = (id: string) => waiverProblems([{ ...own, requirement: id }], { hasOwnSuites: true });

  it('are kept if named suites may define them, and refused without suites', () => {
    const suites = ['mine/*.suite.ts'];
    expect(resolveConfig({ suites, waivers: [own, good] }, {}, 'the config').waivers).toEqual([own, good]);
    expect(problemOf(own)).toContain('received own-ai-chat/acme-names-no-price');
    const none = () => resolveConfig({ suites: [], waivers: [own] }, {}, 'the config');
    expect(none).toThrow(expect.objectContaining({ code: 'config-invalid' }));
  });

  it.each([
    ['of no surface', 'acme/names-no-price', 'unknown-requirement'],
    ['in capitals', 'own-ai-chat/Acme', 'unknown-requirement'],
    ['of the service', 'service/acme-rule', 'unknown-requirement'],
    ['of one check', `${own.requirement}#it-holds`, 'one-check'],
    ['of one built-in check', `${good.requirement}#it-holds`, 'one-check'],
    ['of an unobservable requirement', unseen ?? '', 'unobservable'],
  ])('are refused nevertheless with an id %s', (_, id, kind) => {
    expect(kinds(id).map((problem) => problem.kind)).toEqual([kind]);
  });

  it('are reported as duplicates if the id occurs twice', () => {
    expect(waiverProblems([own, own], { hasOwnSuites: true }).map(({ kind }) => kind)).toEqual(['second-waiver']);
  });
});

describe('waivers of a config', () => {
  it('are kept unchanged', () => {
    const other = { ...good, requirement: 'crm-webhook/accepts-the-token' };
    expect(resolve(good, other).waivers).toEqual([good, other]);
  });

  it('are optional', () => {
    expect(resolve()).not.toHaveProperty('waivers');
    expect(resolveConfig({}, {}, 'the config')).not.toHaveProperty('waivers');
  });

  it.each<[string, unknown, string]>([
    [
      'an unknown requirement',
      { ...good, requirement: 'own-ai-chat/answers-pings' },
      'waivers.0.requirement: expected the id of a requirement (svc-conform explain lists them), received own-ai-chat/answers-pings',
    ],
    [
      'the name of a property of every object',
      { ...good, requirement: 'constructor' },
      'waivers.0.requirement: expected the id of a requirement (svc-conform explain lists them), received constructor',
    ],
    [
      'a check of a requirement',
      { ...good, requirement: 'own-ai-chat/answers-ping#x' },
      'waivers.0.requirement: expected the id of the whole requirement (own-ai-chat/answers-ping), received own-ai-chat/answers-ping#x',
    ],
    [
      'an unobservable requirement, so that it would never end',
      { ...good, requirement: unseen },
      `waivers.0.requirement: expected a requirement that a check can observe, received ${unseen}`,
    ],
    ['no reason', { ...good, reason: ' \n' }, 'waivers.0.reason: expected a reason, received only white space'],
    ['a day that does not exist', { ...good, until: '2027-02-30' }, 'waivers.0.until: expected '],
    ['no day', { requirement: good.requirement, reason: good.reason }, 'waivers.0.until: expected '],
  ])('with %s are refused', (_, waiver, message) => {
    expect(problemOf(waiver)).toContain(`the config is not valid:\n  ${message}`);
  });

  it('of one requirement twice are refused: which date would count?', () => {
    expect(problemOf(good, { ...good, until: '2028-01-31' })).toBe(
      'the config is not valid:\n  waivers.1.requirement: expected one waiver per requirement, received another one for own-ai-chat/answers-ping',
    );
  });

  it('are all reported at once', () => {
    expect(problemOf({ ...good, requirement: 'a' }, { ...good, reason: ' ' }).split('\n')).toHaveLength(3);
  });
});
