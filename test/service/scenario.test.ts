import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { playScenario, readScenario, ScenarioError } from '../../service/scenario.ts';
import { readStep, stepDescription, stepNames, type Step } from '../../service/step.ts';
import { StepError } from '../../service/step-player.ts';
import { schemas } from '../../specs/schemas.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The faults of a scenario, one per line. */
function faultsOf(text: string): string[] {
  try {
    readScenario(text, 's.yaml');
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  throw new Error('expected a fault, received none');
}

describe('a scenario', () => {
  it('is the same in YAML and in JSON, and knows its lines', () => {
    const yaml =
      '# a day\n- customer-writes:\n    text: Hello\n    from: "+4930901820"\n\n- hand-back:\n- time-passes: { hours: 1.5 }\n';
    const steps: Step[] = [
      { name: 'customer-writes', body: { text: 'Hello', from: '+4930901820' } },
      { name: 'hand-back', body: {} },
      { name: 'time-passes', body: { hours: 1.5 } },
    ];
    expect(readScenario(yaml, 's.yaml')).toEqual([
      { step: steps[0], line: 2 },
      { step: steps[1], line: 6 },
      { step: steps[2], line: 7 },
    ]);
    const json = JSON.stringify(steps.map(({ name, body }) => ({ [name]: body })));
    expect(readScenario(json, 's.json').map(({ step }) => step)).toEqual(steps);
  });

  it('of the schema and of the examples can be read', async () => {
    for (const example of schemas.scenario.examples ?? []) {
      expect(readScenario(JSON.stringify(example), 'example').length).toBeGreaterThan(5);
    }
    let files = 0;
    for await (const file of glob('examples/scenarios/*', { cwd: root })) {
      files++;
      expect(readScenario(await readFile(`${root}/${file}`, 'utf8'), file).length, file).toBeGreaterThan(3);
    }
    expect(files).toBeGreaterThan(1);
  });

  it('has steps that say what they do', () => {
    expect(stepNames.length).toBeGreaterThan(15);
    for (const name of stepNames) expect(stepDescription(name).does, name).toMatch(/^[A-Z].*\.$/);
  });
});

describe('errors in a scenario are reported with line and column', () => {
  it.each<[string, string, string[]]>([
    ['nothing in it', '', ['s.yaml:1:1: expected a list of steps such as - customer-writes: { text: Hello }, received nothing']],
    ['no list', 'hand-back: {}', ['s.yaml:1:1: expected a list of steps such as - customer-writes: { text: Hello }, received an object']],
    ['an empty list', '[]', ['s.yaml:1:1: expected a list of steps such as - customer-writes: { text: Hello }, received an empty one']],
    ['a step without its colon', '- hand-back', ['s.yaml:1:3: expected one step such as hand-back: {}, received "hand-back"']],
    ['two steps in one', '- hand-back: {}\n  manual: {}', ['s.yaml:1:3: expected one step such as hand-back: {}, received the fields hand-back, manual']],
    ['an unknown field', '- hand-back:\n- customer-writes:\n    text: Hi\n    chanel: sms', ['s.yaml:4:13: customer-writes.chanel: expected only the fields from, text, channel, received the field chanel']],
    ['a field that is missing', '- team-replies: {}', ['s.yaml:1:17: team-replies.text: expected a field text, received (missing)']],
    ['a number without quotes', '- customer-writes: { text: Hi, from: +4930901820 }', ['s.yaml:1:38: customer-writes.from: expected a string, received 4930901820 (write it in quotes)']],
    ['a key without quotes', '- customer-calls:\n    say: [press: 1]', ['s.yaml:2:18: customer-calls.say.0.press: expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, *, #, received 1 (write it in quotes)']],
    ['two actions at once', '- customer-calls: { say: [{ press: "1", interrupt: Hm }] }', ['s.yaml:1:27: customer-calls.say.0: expected one of press, interrupt, team-picks-up, target-picks-up, received several']],
    ['no international number', '- consent: { from: "0170 123", marketing: true }', ['s.yaml:1:20: consent.from: expected a phone number in international form like "+4930901820", received "0170 123"']],
    ['two ways to name whom', '- manual: { from: "+4930901820", projectId: 1 }', ['s.yaml:1:11: manual: expected from or projectId, received both']],
    ['no time', '- time-passes: {}', ['s.yaml:1:16: time-passes: expected days, hours, minutes or seconds, received none of them']],
    ['time backwards', '- time-passes: { hours: -1 }', ['s.yaml:1:25: time-passes.hours: expected at least 0, received -1']],
    ['an open address elsewhere', '- connect: { chat: "http://example.com/" }', ['s.yaml:1:20: connect.chat: expected http: for loopback only (localhost, 127.0.0.1, [::1]), received "http://example.com/"']],
    ['a password in an address', '- connect: { crmWebhook: "https://a:b@example.com/" }', ['s.yaml:1:26: connect.crmWebhook: expected an address without a user name or password, received "https://a:b@example.com/"']],
    ['a name twice', '- hand-back: {}\n- time-passes: { hours: 1, hours: 2 }', ['s.yaml:2:28: not YAML or JSON: Map keys must be unique']],
    ['several documents', '- hand-back: {}\n---\n- hand-back: {}', ['s.yaml:2:1: expected one list, received more after ---']],
  ])('%s', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  }); // prettier-ignore

  it('suggests the step that an unknown one resembles', () => {
    expect(faultsOf('- customer-wrties: {}')[0]).toMatch(
      /^s\.yaml:1:3: there is no step customer-wrties\. Did you mean customer-writes\b/,
    );
  });

  it('lists the known steps for an unknown one', () => {
    const [fault = ''] = faultsOf('- hand-back: {}\n- nope: {}');
    expect(fault).toMatch(/^s\.yaml:2:3: expected one of the steps connect, /);
    for (const name of stepNames) expect(fault).toContain(name);
    expect(fault).toMatch(/, received nope$/);
  });

  it('all of it, up to a bound', () => {
    expect(faultsOf('- nope: {}\n'.repeat(30))).toHaveLength(21);
    expect(faultsOf('- nope: {}\n'.repeat(30)).at(-1)).toBe('… and 10 more');
    expect(faultsOf('- team-replies: {}\n- time-passes: { hours: x }')).toHaveLength(2);
  });

  it('can neither exhaust the memory nor run code', () => {
    const level = (name: string, of: string) => `- &${name} [${`${of},`.repeat(9)}]\n`;
    const bomb = level('a', 'x') + level('b', '*a') + level('c', '*b') + level('d', '*c') + level('e', '*d');
    expect(faultsOf(bomb)[0]).toMatch(/^s\.yaml:1:1: not YAML or JSON: /);
    expect(readStep('hand-back', JSON.parse('{ "__proto__": {} }'))).toHaveProperty('violations');
  });
});

describe('a scenario that is played', () => {
  const scenario = readScenario(
    '- manual:\n- consent: { marketing: true }\n- wait-for: { event: call }\n- wait-for: { event: clock }\n- hand-back:',
    's.yaml',
  );

  it('goes step by step; waits look back to where the last step of another kind began', async () => {
    const played: [string, number | undefined][] = [];
    let seq = 0;
    await playScenario(scenario, 's.yaml', {
      play: (step, since) => {
        played.push([step.name, since]);
        seq += 10;
        return Promise.resolve({ since: seq });
      },
    });
    expect(played).toEqual([
      ['manual', undefined],
      ['consent', 10],
      ['wait-for', 20],
      ['wait-for', 20],
      ['hand-back', 20],
    ]);
  });

  it('stops at the step that fails, and names its line', async () => {
    const played: string[] = [];
    const playing = playScenario(scenario, 's.yaml', {
      play: ({ name }) => {
        played.push(name);
        if (name === 'wait-for') throw new StepError('not_seen', 'expected a call, received none');
        return Promise.resolve({ since: 0 });
      },
    });
    await expect(playing).rejects.toThrow('s.yaml:3: step 3, wait-for: expected a call, received none');
    expect(played).toEqual(['manual', 'consent', 'wait-for']);
  });
});
