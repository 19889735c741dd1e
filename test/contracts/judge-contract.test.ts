import { beforeAll, describe, expect, it } from 'vitest';
import type { JudgedContract, InteractionVerdict } from '../../contracts/contract-finding.ts';
import { judgeContract } from '../../contracts/judge-contract.ts';
import { readStateTranslations, translateState } from '../../contracts/state-translations.ts';
import { pactFile, type Expectation } from './consumer-contracts.ts';
import { expectations } from './expectations.ts';

const verdicts = Object.keys(expectations) as InteractionVerdict[];
/** A few expectations for each verdict that every version of Pact can express. */
const inEveryVersion: Readonly<Record<InteractionVerdict, readonly string[]>> = {
  provided: [
    'a new contact',
    'a message',
    'a list matched by its first item',
    'two states in one name',
    'an appointment',
  ],
  assumed: ['the status without a key', 'null in a request', 'the form of createdAt'],
  'not-provided': [
    'a field that is not there',
    'another type',
    'an id that the service chooses',
    'success in a state of refusal',
  ],
  'not-judged': ['a state in other words', 'an assistant without a state'],
};

describe('a contract in version 4', () => {
  const every = verdicts.flatMap((verdict) => expectations[verdict]);
  let judged: JudgedContract;
  beforeAll(async () => {
    judged = await judgeContract(pactFile(4, every));
  }, 60_000);

  for (const verdict of verdicts) {
    describe(verdict, () => {
      it.each(expectations[verdict].map((one) => [one.description, one] as const))('%s', (_, expectation) => {
        const index = every.indexOf(expectation);
        const found = judged.interactions[index];
        expect(found).toMatchObject({ index, description: expectation.description });
        expect(found?.verdict, JSON.stringify(found?.findings, undefined, 1)).toBe(verdict);
        if (!expectation.finding) return;
        const { pointer, ...rest } = expectation.finding;
        const finding = { ...rest, ...(pointer !== undefined && { pointer: `/interactions/${index}${pointer}` }) };
        expect(found?.findings).toContainEqual(expect.objectContaining(finding));
      });
    });
  }

  it('has the verdict of its worst interaction', () => {
    expect(judged).toMatchObject({
      consumer: 'crm',
      provider: 'conversation-api',
      pactVersion: 4,
      verdict: 'not-provided',
    });
  });

  it('is replayed wherever its states can be set up', () => {
    const sent = judged.interactions.filter(({ replayed }) => replayed);
    expect(sent.length).toBeGreaterThan(every.length - 10);
  });

  it('reports nothing twice', () => {
    for (const { findings } of judged.interactions) {
      const keys = findings.map(({ kind, pointer, expected }) => `${kind} ${pointer} ${expected}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});

describe.each([2, 3] as const)('a contract in version %i', (version) => {
  it('is judged in the same way', async () => {
    const chosen = verdicts.flatMap((verdict) =>
      expectations[verdict]
        .filter(({ description }) => inEveryVersion[verdict].includes(description))
        .map((one) => [verdict, one] as const),
    );
    expect(chosen).toHaveLength(Object.values(inEveryVersion).flat().length);
    const { interactions, pactVersion } = await judgeContract(
      pactFile(
        version,
        chosen.map(([, one]) => one),
      ),
    );
    expect(pactVersion).toBe(version);
    expect(interactions.map(({ description, verdict }) => [description, verdict])).toEqual(
      chosen.map(([verdict, { description }]) => [description, verdict]),
    );
  }, 30_000);
});

const mine: Expectation[] = [
  {
    description: 'their words',
    states: [{ name: 'customer is known', params: { customerNo: 7, mood: 'good' } }],
    path: '/v1/contacts',
    body: { phone: '+4930901820' },
    status: 200,
    responseBody: { id: 7 },
  },
  {
    description: 'two known states',
    states: ['the bot has it, and the team is unavailable'],
    path: '/v1/projects/42/agent-replies',
    body: { text: 'Hello' },
    status: 422,
  },
  { description: 'nothing needed', states: ['the API is up'], path: '/v1/me' },
];

describe('custom state names', () => {
  it('have the configured meaning', async () => {
    const words = readStateTranslations(`
customer is known: { state: a contact exists, params: { contactId: '\${customerNo}' } }
the bot has it, and the team is unavailable: [the own AI answers the project, the contact cannot be reached]
the API is up: []
`);
    const { interactions } = await judgeContract(pactFile(3, mine), words);
    expect(interactions.map(({ verdict, findings }) => [verdict, findings])).toEqual(mine.map(() => ['provided', []]));
  }, 30_000);

  it('use the known parameters, if there are no others', () => {
    const words = readStateTranslations('customer has a ticket: a contact exists');
    const state = { name: 'customer has a ticket', params: { ticketNo: 4712, phone: '+4930901820' } };
    expect(translateState(state, words)).toEqual([{ name: 'a contact exists', params: { phone: '+4930901820' } }]);
  });

  it.each([
    ['[]', 'expected an object with the names of your states as fields, received []'],
    ['a: 1', '"a": expected a state such as "a contact exists"'],
    ['a: a contact is there', '"a": expected one of the known states, received "a contact is there"; the nearest are'],
    ['a: { state: a contact exists, params: { age: 3 } }', '"a": “a contact exists”: expected only contactId, phone'],
    ['a: [', 'expected JSON or YAML, received something else'],
  ])('that are invalid are refused: %s', (text, message) => {
    expect(() => readStateTranslations(text)).toThrow(message);
  });
});
