import { expect } from 'vitest';
import type { Expectations } from '../judged-expectation.ts';

/** Expectations without a required state, or with an unknown one. */
export const missingStates: Expectations = {
  'not-judged': [
    {
      description: 'a state in other words',
      states: ['customer 7 is known'],
      path: '/v1/me',
      finding: { kind: 'not-judged', place: 'state' },
    },
    {
      description: 'an assistant without a state',
      path: '/v1/agents/12',
      finding: { advice: 'The contract requires no state: require “an assistant exists”.' },
    },
    {
      description: 'a project without a state',
      path: '/v1/projects/12/agent-replies',
      body: { text: 'x' },
      status: 202,
      finding: { advice: 'The contract requires no state: require “the own AI answers the project”.' },
    },
    {
      description: 'a parameter of another kind',
      states: [{ name: 'a contact exists', params: { contactId: 'x' } }],
      path: '/v1/me',
      finding: { place: 'state', received: '"x"' },
    },
    {
      description: 'a parameter that is not taken',
      states: [{ name: 'a contact exists', params: { age: 3 } }],
      path: '/v1/me',
      finding: { place: 'state', received: 'the parameter "age"' },
    },
    {
      description: 'states that contradict each other',
      states: [
        { name: 'a project exists', params: { projectId: 5 } },
        { name: 'no such project', params: { projectId: 5 } },
      ],
      path: '/v1/me',
      finding: { place: 'state' },
    },
    {
      description: 'items of a list that is empty in the state',
      states: ['a project exists'],
      path: '/v1/projects/3/messages',
      responseBody: [{ text: 'x' }],
      rules: { $: { match: 'type', min: 1 } },
      finding: { place: 'response-body', received: 'an empty list' },
    },
    ...(
      [
        [
          'a skill that was not attached',
          'POST /v1/projects/42/skills/book',
          ['the own AI answers the project'],
          { ok: true },
          'a skill is attached',
        ],
        [
          'a skill that nothing refuses',
          'POST /v1/projects/42/skills/sales',
          ['the own AI answers the project'],
          { ok: false },
          'the skill is refused',
        ],
        [
          'a reason that nothing gives',
          'POST /v1/projects/42/skills/sales',
          ['the own AI answers the project'],
          { reason: 'no-target' },
          'the skill is refused',
        ],
        [
          'an assistant that has a secret',
          'GET /v1/agents/12',
          ['an assistant exists'],
          { hasSecret: false },
          'the assistant has no secret',
        ],
        [
          'an assistant with another address',
          'GET /v1/agents/12',
          ['an assistant exists'],
          { chatUrl: 'https://a.example' },
          'an assistant exists',
        ],
        ['assistants that are there', 'GET /v1/agents', [], [], 'the inbox has no assistant'],
      ] as const
    ).map(([of, request, states, responseBody, state]) => {
      const [method = '', path = ''] = request.split(' ');
      const advice = expect.stringContaining(`“${state}”`) as string;
      const finding = { kind: 'not-judged', place: 'response-body', advice } as const;
      return { description: `a value of ${of}`, method, path, states, responseBody, finding };
    }),
    {
      description: 'auto-reply off without its state',
      states: ['the own AI answers the project'],
      path: '/v1/projects/42/agent-replies',
      body: { text: 'x' },
      status: 202,
      responseBody: { autoReply: { state: 'off' } },
      finding: {
        kind: 'not-judged',
        pointer: '/response/body/content/autoReply/state',
        advice: expect.stringContaining('“auto-reply is off”') as string,
      },
    },
    {
      description: 'a message in an open window without its state',
      path: '/v1/messages',
      body: { phone: '+4930901820', text: 'x' },
      status: 202,
      responseBody: { waitingForReply: false },
      finding: { advice: expect.stringContaining('“the WhatsApp window is open”') as string },
    },
    {
      description: 'a reason that no state leads to',
      states: ['the own AI answers the project'],
      method: 'POST',
      path: '/v1/projects/42/skills/sales',
      responseBody: { reason: 'limit-reached' },
      finding: { kind: 'not-judged', place: 'response-body' },
    },
    {
      description: 'an assistant without a state, with an ignored field',
      path: '/v1/agents/12',
      query: { expand: 'skills' },
      finding: { kind: 'not-judged', place: 'status' },
    },
  ],
};
