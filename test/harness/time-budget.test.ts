import { describe, expect, it } from 'vitest';
import { phaseOf, suiteGroup } from '../../harness/checks/run-order.ts';
import { suiteFiles } from '../../harness/checks/suite-files.ts';
import { TimeBudget, diagnosisMs, partsOf, type RunPart } from '../../harness/checks/time-budget.ts';

const surfaces = ['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone'];
const budgetMs = 120_000;

function clockedBudget() {
  const clock = { now: 5_000 };
  const budget = new TimeBudget({ budgetMs, surfaces, now: () => clock.now });
  return { budget, pass: (ms: number) => (clock.now += ms) };
}

const part = (surface: string, group: RunPart['group']): RunPart => ({ surface, group });

describe('a time budget', () => {
  it('leaves time for the end of the run, and for the causes of failures after the first one', () => {
    const { budget } = clockedBudget();
    expect(budget.leftMs).toBe(110_000);
    budget.reserveDiagnosis();
    budget.reserveDiagnosis();
    expect(budget.leftMs).toBe(90_000);
    expect(diagnosisMs(budgetMs)).toBe(20_000);
  });

  it('leaves the checks the larger share of the rest after a late failure', () => {
    const { budget, pass } = clockedBudget();
    const before = budget.leftFor(part('own-ai-chat', 'final'));
    pass(80_000);
    budget.reserveDiagnosis();
    expect(budget.leftMs).toBeCloseTo(20_000);
    expect(budget.leftFor(part('own-ai-chat', 'final'))).toBeLessThanOrEqual(Math.min(before, 20_000));
  });

  it('is longer while the endpoint answers everything, and ends soon when it no longer does', async () => {
    let isAnswering = true;
    const clock = { now: 5_000 };
    const budget = new TimeBudget({
      budgetMs,
      answeringMs: 600_000,
      isAnswering: () => isAnswering,
      surfaces,
      now: () => clock.now,
    });
    expect(budget.leftMs).toBe(550_000);
    clock.now += 300_000;
    expect(budget.leftMs).toBe(250_000);
    expect(await budget.within(Promise.resolve('in time'))).toBe('in time');
    isAnswering = false;
    expect(budget.leftMs).toBeCloseTo(30_000);
    clock.now += 30_001;
    expect(budget.leftMs).toBe(0);
    expect(() => budget.assertLeft(part('own-ai-chat', 'plain'))).toThrow('the time budget of 120 s was used up');
    await expect(budget.within(new Promise(() => undefined))).rejects.toThrow('the time budget of 120 s was used up');
  });

  it('gives the first part the time that later parts do not need', () => {
    const { budget } = clockedBudget();
    const left = budget.leftFor(part('crm-webhook', 'timed'));
    expect(left).toBeGreaterThan(15_000);
    expect(left).toBeLessThan(60_000);
  });

  it('reserves time for each phase after one that uses all of its share, and gives the whole share to each part', () => {
    const { budget, pass } = clockedBudget();
    const phases = Map.groupBy(partsOf(surfaces), ({ group }) => phaseOf(group));
    expect(phases.size).toBeGreaterThan(4);
    for (const parts of phases.values()) {
      const left = parts.map((one) => budget.leftFor(one));
      const names = parts.map(({ surface, group }) => `${surface} ${group}`).join(', ');
      expect(Math.min(...left), names).toBe(Math.max(...left));
      expect(Math.min(...left), names).toBeGreaterThan(500);
      if (parts.some(({ group }) => group === 'plain')) expect(Math.min(...left)).toBeGreaterThan(5_500);
      pass(Math.max(...left));
      for (const one of parts) expect(() => budget.assertLeft(one)).toThrow('the time budget of 120 s was used up');
    }
    expect(budget.leftMs).toBeLessThan(1);
  });

  it('gives a part its time when it begins, also after the parts before it took longer', () => {
    const { budget, pass } = clockedBudget();
    budget.leftFor(part('own-ai-phone', 'effects'));
    pass(90_000);
    expect(budget.leftFor(part('own-ai-phone', 'effects'))).toBe(0);
    expect(budget.leftFor(part('own-ai-phone', 'plain'))).toBeGreaterThan(5_900);
  });

  it('sends nothing whose pause would outlast it', () => {
    const { budget } = clockedBudget();
    expect(() => budget.assertLeft(undefined, 90_000)).not.toThrow();
    expect(() => budget.assertLeft(undefined, 111_000)).toThrow(
      'Not judged: the time budget of 120 s was used up; --budget 300 gives the run more time.',
    );
  });

  it('does not count the time in which this process waited for a processor, up to its own length', () => {
    const clock = { now: 0, starved: 0 };
    const budget = new TimeBudget({ budgetMs, surfaces, now: () => clock.now, starvedMs: () => clock.starved });
    Object.assign(clock, { now: 100_000, starved: 60_000 });
    expect(budget.leftMs).toBe(70_000);
    // Time that was deducted stays deducted.
    clock.starved = 50_000;
    expect(budget.leftMs).toBe(70_000);
    Object.assign(clock, { now: 231_000, starved: 200_000 });
    expect(budget.leftMs).toBe(0);
  });

  it('never ends without a limit', async () => {
    const unlimited = new TimeBudget({ budgetMs: undefined, surfaces });
    expect(unlimited.leftFor(part('own-ai-chat', 'plain'))).toBe(Infinity);
    expect(unlimited.leftMs).toBe(Infinity);
    expect(await unlimited.within(Promise.resolve(1))).toBe(1);
  });

  it('ends a wait that would take longer, and drops its result', async () => {
    const budget = new TimeBudget({ budgetMs: 100, surfaces });
    const never = new Promise<void>(() => undefined);
    await expect(budget.within(never)).rejects.toMatchObject({ code: 'budget-used' });
    await expect(new TimeBudget({ budgetMs: 10_000, surfaces }).within(Promise.resolve(2))).resolves.toBe(2);
  });

  it('leaves the remaining time to the search for causes, and its usual time after the wait for a callback', () => {
    expect(diagnosisMs(budgetMs, 30_000)).toBe(20_000);
    expect(diagnosisMs(budgetMs, 105_000)).toBe(10_000);
    expect(diagnosisMs(budgetMs, 119_000)).toBe(0);
    expect(diagnosisMs(budgetMs, 330_000)).toBe(20_000);
    expect(diagnosisMs(30_000)).toBe(5_000);
    expect(diagnosisMs(Infinity, 400_000)).toBe(20_000);
  });
});

describe('the group of a suite', () => {
  it.each([
    ['/a/suites/crm-webhook/lookup-times.suite.ts', 'timed'],
    ['/a/suites/own-ai-chat/later-reply.suite.js', 'waiting'],
    ['/a/suites/api-webhooks/effects.suite.ts', 'effects'],
    ['/a/suites/own-ai-phone/effects.suite.js', 'effects'],
    ['/a/suites/crm-webhook/redelivery.suite.ts', 'plain'],
    ['/a/suites/own-ai-phone/upgrades.suite.ts', 'forged'],
    ['/a/suites/api-webhooks/event-types.suite.ts', 'types'],
    ['/a/suites/api-webhooks/events.suite.ts', 'plain'],
    ['/a/suites/own-ai-phone/any-call.suite.ts', 'generated'],
    ['/a/suites/own-ai-chat/answers.suite.ts', 'last'],
    ['/a/suites/own-ai-chat/until-the-end.suite.ts', 'final'],
    ['/a/suites/api-client/pace.suite.ts', 'client'],
    ['/a/suites/crm-webhook/crash.suite.ts', 'crash'],
    ['/a/suites/api-client/effects.suite.ts', 'client'],
  ])('%s is %s', (path, group) => {
    expect(suiteGroup(path)).toBe(group);
  });

  it('has suites on the surfaces for which time is reserved', () => {
    const parts = suiteFiles(surfaces).map((path) => {
      const surface = surfaces.find((name) => path.includes(`suites/${name}/`)) ?? '';
      return JSON.stringify(part(surface, suiteGroup(`/${path}`)));
    });
    expect(new Set(partsOf(surfaces).map((one) => JSON.stringify(one)))).toEqual(new Set(parts));
  });
});
