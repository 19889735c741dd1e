import { describe, expect, it } from 'vitest';
import { readConsumerContract } from '../../contracts/consumer-contract.ts';
import { isMatched, readMatchers, acceptsStatus } from '../../contracts/pact-matchers.ts';
import { pactFile } from './consumer-contracts.ts';

const parties = { consumer: { name: 'crm' }, provider: { name: 'api' } };
const file = (more: object) => JSON.stringify({ ...parties, ...more });
const one = { request: { method: 'get', path: '/v1/me' }, response: { status: 200 } };

describe('a Pact file', () => {
  it.each([2, 3, 4] as const)('of version %i is read into the same form', (version) => {
    const text = pactFile(version, [
      {
        description: 'a note',
        states: ['a contact exists'],
        path: '/v1/notes',
        query: { a: 'b c' },
        body: { phone: '+4930901820', text: 'T' },
        status: 201,
        responseBody: { noteId: 1 },
        rules: { '$.noteId': { match: 'type' } },
      },
    ]);
    const { interactions, version: read } = readConsumerContract(text);
    expect(read).toBe(version);
    expect(interactions).toMatchObject([
      {
        index: 0,
        description: 'a note',
        states: [{ name: 'a contact exists' }],
        request: {
          method: 'POST',
          path: '/v1/notes',
          query: 'a=b+c',
          headers: { 'X-Api-Key': 'svc_sk_example', 'Content-Type': 'application/json' },
          body: { phone: '+4930901820', text: 'T' },
        },
        response: { status: 201, body: { noteId: 1 } },
      },
    ]);
    const [{ response } = { response: undefined }] = interactions;
    expect(response && isMatched(response.matchers, ['noteId'])).toBe(true);
    expect(response && isMatched(response.matchers, ['other'])).toBe(false);
  });

  it('without a version, a description and a method is read as an old one', () => {
    const text = `\u{feff}${file({ interactions: [{ ...one, provider_state: 'a contact exists' }] })}`;
    expect(readConsumerContract(text)).toMatchObject({
      version: 2,
      interactions: [
        { description: 'interaction 1', states: [{ name: 'a contact exists' }], request: { method: 'GET' } },
      ],
    });
  });

  it('separates interactions other than HTTP', () => {
    const text = file({
      interactions: [
        { type: 'Asynchronous/Messages', description: 'm' },
        { ...one, type: 'Synchronous/HTTP' },
      ],
      metadata: { pactSpecification: { version: '4.0' } },
    });
    const { interactions, others } = readConsumerContract(text);
    expect(interactions.map(({ index }) => index)).toEqual([1]);
    expect(others).toEqual([{ index: 0, description: 'm', type: 'Asynchronous/Messages' }]);
  });

  it('may have long strings, whose content has no structure', () => {
    const description = `${'['.repeat(300)}${'x'.repeat(15_000_000)}\\" {`;
    const { interactions } = readConsumerContract(file({ interactions: [{ ...one, description }] }));
    expect(interactions[0]?.description === description).toBe(true);
  });

  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  it.each([
    ['', 'expected a Pact file, which is JSON'],
    ['hello', 'expected a Pact file, which is JSON'],
    ['[]', 'expected a Pact file, a JSON object, received []'],
    ['{"interactions":[]}', '/consumer/name: expected the name of a system, received nothing'],
    ['{"consumer":{"name":"svc"},"provider":{"name":"own-ai-chat"}}', 'verify that with svc-conform pact verify'],
    [file({}), 'expected at least one interaction'],
    [file({ interactions: {} }), '/interactions: expected a list, received {}'],
    [file({ interactions: [7] }), '/interactions/0: expected an object, received 7'],
    [file({ interactions: [{}] }), '/interactions/0/request: expected an object, received nothing'],
    [
      file({ interactions: [{ ...one, response: { status: 'ok' } }] }),
      '/interactions/0/response/status: expected a status from 100 to 599, received "ok"',
    ],
    [
      file({ interactions: [{ ...one, request: { path: 'me' } }] }),
      '/interactions/0/request/path: expected a path such as "/v1/me", received "me"',
    ],
    [
      file({ interactions: [{ ...one, request: { path: '/', headers: { a: 1 } } }] }),
      '/interactions/0/request/headers/a: expected a string or strings, received 1',
    ],
    [
      file({ interactions: [{ ...one, providerStates: [{}] }] }),
      '/interactions/0/providerStates/0/name: expected a string, received nothing',
    ],
    [
      file({ interactions: [one], metadata: { pactSpecification: { version: '5.0' } } }),
      '/metadata/pactSpecification/version: expected a version of Pact from 1 to 4',
    ],
    [
      file({ interactions: Array.from({ length: 2_001 }, () => one) }),
      'expected at most 2000 interactions, received 2001',
    ],
    [deep, 'expected at most 200 levels, received more'],
    [
      file({
        interactions: [
          {
            ...one,
            type: 'Synchronous/HTTP',
            response: { status: 200, body: { content: deep, contentType: 'application/json', encoded: 'JSON' } },
          },
        ],
        metadata: { pactSpecification: { version: '4.0' } },
      }),
      '/interactions/0/response/body/content: expected at most 200 levels, received more',
    ],
  ])('that is invalid is refused: %.60s', (text, message) => {
    expect(() => readConsumerContract(text)).toThrow(message);
  });
});

describe('matching rules', () => {
  it('apply by the nearest path, and equality removes them', () => {
    const matchers = readMatchers(
      { body: { $: { matchers: [{ match: 'type' }] }, "$.a['b c'][*]": { matchers: [{ match: 'equality' }] } } },
      4,
    );
    expect(isMatched(matchers, ['a'])).toBe(true);
    expect(isMatched(matchers, ['a', 'b c', 3])).toBe(false);
  });

  it('of a status are a class or a list', () => {
    const ruled = (status: unknown) =>
      readMatchers({ status: { $: { matchers: [{ match: 'statusCode', status }] } } }, 4);
    expect(acceptsStatus(ruled('success'), 200, 202)).toBe(true);
    expect(acceptsStatus(ruled('success'), 200, 404)).toBe(false);
    expect(acceptsStatus(ruled([200, 202]), 200, 202)).toBe(true);
    expect(acceptsStatus(readMatchers(undefined, 4), 200, 202)).toBe(false);
  });
});
