import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIntegrator, type Integrator } from '../../examples/integrator/server.ts';
import { clockBefore, preparedAppointment } from '../../simulate/send/prepared-appointment.ts';
import { sendable } from '../../simulate/send/sendable.ts';
import { validate } from '../../specs/validators.ts';
import { openService } from '../service/open-service.ts';
import { runCommand, temporaryDirectory, type Ended } from './run-command.ts';
import { smallEndpoint, type SmallAnswer, type SmallRequest } from './small-endpoint.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { recordingServer } from '../server-fixture.ts';

const env = {
  CRM_TOKEN: 'token-of-the-send-tests',
  HOOK_SECRET: 'whk_of-the-send-tests',
  AGENT_SECRET: 'whsec_of-the-send-tests',
  SVC_API_KEY: 'svc_sk_of-the-send-tests',
};

/** Untyped JSON: each test knows its shape. */
type Json = ReturnType<typeof JSON.parse>;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
/** Answers at once, and later. */
let now: Integrator;
let later: Integrator;

beforeAll(async () => {
  directory = await temporaryDirectory();
  const options = {
    crmToken: env.CRM_TOKEN,
    hookSecret: env.HOOK_SECRET,
    agentSecret: env.AGENT_SECRET,
    apiKey: env.SVC_API_KEY,
    log: () => undefined,
  };
  now = await startIntegrator(options);
  later = await startIntegrator({ ...options, answer: 'later' });
});
afterAll(async () => {
  await Promise.all([now.close(), later.close()]);
  await directory[Symbol.asyncDispose]();
});

const send = async (what: string, ...flags: string[]): Promise<Ended> => {
  const ended = await runCommand(['send', what, ...flags], { cwd: directory.path, env });
  for (const secret of Object.values(env)) expect(ended.stdout + ended.stderr).not.toContain(secret);
  return ended;
};
const chat = (url: string) => ['--chat-url', url, '--chat-secret', 'env:AGENT_SECRET'];
const crm = (url: string) => ['--crm-url', url, '--crm-token', 'env:CRM_TOKEN'];
const hooks = (url: string) => ['--hooks-url', url, '--hooks-secret', 'env:HOOK_SECRET'];
const phone = (url: string) => ['--phone-url', url, '--phone-secret', 'env:AGENT_SECRET'];

/** The sentences below the heading. */
const sentences = ({ stdout }: Ended) => {
  const [, after = ''] = stdout.split('\nEffects in the service\n');
  const [shown = ''] = after.split(/\n\nThe service (?:accepts|does not accept) the answer\./);
  return shown.replaceAll(/\n(?! {2}\S)/g, '').trim();
};

/** Whether a request has a valid signature, computed from the interface document alone. */
const isSigned = ({ headers, body }: SmallRequest, secret: string) => {
  const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-svc-signature'])) ?? [];
  const hex = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return hex === v1 && Math.abs(Date.now() / 1000 - Number(t)) < 60;
};

describe('send message.received', () => {
  it('shows the request, the answer and its effect on the service', async () => {
    const ended = await send('message.received', ...chat(now.chatUrl), '--text', 'I want to speak to a person');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toBe('');
    const { stdout } = ended;
    expect(stdout).toMatch(/^→ POST http:\/\/127\.0\.0\.1:\d+\/chat {2}message\.received\n/);
    expect(stdout).toMatch(/^ {2}X-Svc-Delivery-Id: (evt_\w+)\n[\s\S]*"id": "\1",$/m);
    expect(stdout).toContain('      "text": "I want to speak to a person",');
    expect(stdout).toMatch(/^← 200 in [\d.]+ ms of 10 s$/m);
    expect(stdout).toContain('    "action": "handover",');
    expect(sentences(ended)).toBe(
      [
        'The message text is sent at once on whatsapp: “A colleague will take over.”',
        'The team sees a note: “Asked for a person: I want to speak to a person”',
        'Auto-reply of the conversation is now off (the conversation was handed over).',
        'The team is notified: “The AI has handed the conversation over.”',
      ].join('\n  '),
    );
    expect(stdout.trimEnd()).toMatch(/The service accepts the answer\.$/);
  });

  it.each<[string, SmallAnswer, number, string[], string[]]>([
    ['a 500', { status: 500 }, 1, [], ['The service cannot use the answer: status 500 instead of a 2xx.', 'Auto-reply of the conversation is now off']],
    ['what is not JSON', { status: 200, body: '{"text":' }, 1, [], ['as the body of a 200 answer']],
    ['an unknown action', { status: 200, body: '{"action":"hangup"}' }, 1, [], ['at /action: expected one of none, handover, end']],
    ['nothing in it', { status: 200, body: '{}' }, 0, [], ['The answer has no message text, so nothing is sent to the customer.']],
    ['a failure while the team has it', { status: 500 }, 1, ['--set-json', 'data.autoReply={"state":"off"}'], ['The team already handles the conversation: no note is written, and no one is notified.']],
    ['a message while the team has it', { status: 200, body: '{"text":"Hi"}' }, 0, ['--set-json', 'data.autoReply={"state":"off"}'], ['The message text is sent at once on whatsapp: “Hi”', 'The AI has written although the team has the conversation.']],
    ['a skill that is not offered', { status: 200, body: '{"executeSkills":["sales"]}' }, 0, ['--set-json', 'data.skills=[]'], ['Skill sales is refused: unknown-skill.']],
    ['a skill that is offered', { status: 200, body: '{"executeSkills":[7]}' }, 0, ['--set-json', 'data.skills=[{"id":7,"key":"vip","name":"VIP","kind":"alert","announcement":null}]'], ['Skill vip is executed.']],
    ['an answer on telegram', { status: 200, body: '{"text":"Hi"}' }, 0, ['--set', 'data.channel=telegram'], ['The message text is sent at once on telegram: “Hi”']],
    ['a 204', { status: 204 }, 0, [], ['The service waits; a reply may follow through agent-replies.']],
    ['a long note', { status: 200, body: JSON.stringify({ note: 'n'.repeat(501) }) }, 0, [], ['The note has 501 characters and is cut to 500.']],
  ])('reports %s', async (_, answer, code, flags, shown) => {
    await using endpoint = await smallEndpoint(() => answer);
    const ended = await send('message.received', ...chat(endpoint.url), ...flags);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: '' });
    for (const text of shown) expect(ended.stdout.replaceAll('\n  ', ' ')).toContain(text);
    expect(endpoint.requests).toHaveLength(1);
    const [request] = endpoint.requests;
    expect(request && isSigned(request, env.AGENT_SECRET)).toBe(true);
    expect(validate('messageReceived', JSON.parse(request?.body ?? ''))).toEqual([]);
  }); // prettier-ignore

  it('sends every field as set, signed, including its headers, and reports values that the service cannot send', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const ended = await send(
      'message.received', ...chat(endpoint.url),
      '--set', 'id=evt_mine', '--set', 'protocol=2099-01-01', '--set', 'data.contact.name=Erika Beispiel',
      '--set', 'data.channel=carrier-pigeon', '--set-json', 'data.projectId=4711', '--set', 'data.contact.phnoe=x',
      '--set', 'data.replyUrl=http://127.0.0.1:9/',
    ); // prettier-ignore
    const [request] = endpoint.requests;
    const { headers, body } = request as SmallRequest;
    expect(isSigned(request as SmallRequest, env.AGENT_SECRET)).toBe(true);
    expect([headers['x-svc-delivery-id'], headers['x-svc-agent-protocol']]).toEqual(['evt_mine', '2099-01-01']);
    expect(JSON.parse(body)).toMatchObject({
      id: 'evt_mine',
      data: { projectId: 4711, channel: 'carrier-pigeon', contact: { name: 'Erika Beispiel', phnoe: 'x' } },
    });
    const shown = ended.stdout.replaceAll('\n  ', ' ');
    expect(shown).toContain('! data.channel has a value that the service cannot have in a conversation');
    expect(shown).toContain('! The service does not send data.contact.phnoe; it was added. Did you mean phone?');
    expect(shown).toContain('! data.replyUrl is another address');
  });

  it('sends any file of --body byte for byte', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const body of ['{ "data": {"message" : 1.0 } }\n', 'not JSON at all', '', deep]) {
      await writeFile(directory.at('body'), body);
      expect((await send('message.received', ...chat(endpoint.url), '--body', 'body')).code).toBe(0);
      const request = endpoint.requests.at(-1) as SmallRequest;
      expect(request.body).toBe(body);
      expect(isSigned(request, env.AGENT_SECRET)).toBe(true);
    }
    await writeFile(directory.at('body'), '{"data":{"autoReply":{"state":"off"}}}');
    await send('message.received', ...chat(endpoint.url), '--body', 'body', '--set', 'id=evt_7');
    expect(endpoint.requests.at(-1)?.body).toBe('{"data":{"autoReply":{"state":"off"}},"id":"evt_7"}');
  });

  it('waits for a reply after 202, and reports one that is refused', async () => {
    const flags = [...chat(later.chatUrl), '--text', 'I want to speak to a person'];
    const taken = await send('message.received', ...flags, '--api-key', 'env:SVC_API_KEY');
    expect(taken.code).toBe(0);
    expect(sentences(taken)).toMatch(
      /^The service waits; .*\n {2}A reply followed: POST \/v1\/projects\/\d+\/agent-replies 202\.\n {2}The message text is sent at once on whatsapp: “A colleague/,
    );
    const refused = await send('message.received', ...flags);
    expect(refused.code).toBe(1);
    expect(sentences(refused).replaceAll('\n  ', ' ')).toMatch(
      /A reply followed: .* 401 unauthorized: .* Set the API key that your endpoint uses with --api-key/,
    );
    await using quiet = await smallEndpoint(() => ({ status: 202 }));
    const none = await send('message.received', ...chat(quiet.url), '--wait', '0.1');
    expect([none.code, none.stderr, sentences(none)]).toEqual([
      0,
      'Answered with 202: waiting up to 0.1 s for a reply (--wait changes it) …\n',
      expect.stringContaining('No reply came within 0.1 s; a reply is optional.'),
    ]);
  });

  it('reports a reply that comes before the 202', async () => {
    await using hasty = await startHasty();
    const ended = await send('message.received', ...chat(hasty.url), '--api-key', 'env:SVC_API_KEY');
    expect(ended.code).toBe(0);
    expect(sentences(ended).split('\n  ')).toEqual([
      'The service waits; a reply may follow through agent-replies.',
      expect.stringMatching(/^A reply followed: POST \/v1\/projects\/\d+\/agent-replies 202\.$/),
      'The message text is sent at once on whatsapp: “At once.”',
    ]);
  });

  it('shows control characters of an answer and never sends them to the terminal', async () => {
    await using endpoint = await smallEndpoint(() => ({
      status: 200,
      headers: { 'x-evil': 'a\u009bb' },
      body: '{"text":"\\u001b[2J","note":"\u202e"}',
    }));
    const { stdout } = await send('message.received', ...chat(endpoint.url));
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(stdout).toContain('⟨U+001B⟩[2J');
    expect(stdout).toContain('⟨U+202E⟩');
  });
});

/** Replies by agent-replies first, and answers 202 afterwards. */
async function startHasty(): Promise<AsyncDisposable & { url: string }> {
  const server = await recordingServer(({ body }, response) =>
    fetch(JSON.parse(body).data.replyUrl, {
      method: 'POST',
      headers: { 'X-Api-Key': env.SVC_API_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'At once.' }),
    }).then(
      () => response.writeHead(202).end(),
      () => response.writeHead(500).end(),
    ),
  );
  return { ...server, url: `http://${server.host}/` };
}

describe('send ping', () => {
  it('passes with any 2xx and fails with anything else', async () => {
    const passes = await send('ping', ...chat(now.chatUrl));
    expect([passes.code, sentences(passes)]).toEqual([
      0,
      'The connection test of the chat passes (any 2xx status does).',
    ]);
    const refused = await send('ping', '--chat-url', now.chatUrl, '--chat-secret', 'env:HOOK_SECRET');
    expect([refused.code, sentences(refused)]).toEqual([1, 'The connection test fails: status 401.']);
  });
});

describe('send to the CRM webhook', () => {
  it('shows which parts are applied; the token is not shown', async () => {
    const ended = await send(
      'IncomingCallLookup',
      ...crm(now.crmUrl),
      '--set',
      'contactData.phoneNumber=+4930901820',
      '--set-json',
      'contactData.firstName=null',
      '--set',
      'contactData.lastName=Beispiel',
    );
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('  Authorization: Bearer (hidden)\n');
    expect(ended.stdout).toMatch(/^← 200 in [\d.]+ ms of 2 s$/m);
    expect(sentences(ended).split('\n  ')).toEqual([
      'contactData is applied.',
      'requestProjectUpdate is not true: projectData is ignored.',
      // The last name repeats what the event contains.
      'The contact gets crmContactId, crmAiInfo, firstName.',
    ]);
  });

  it('waits for the callback after 202', async () => {
    const ended = await send(
      'IncomingCallLookup',
      ...crm(later.crmUrl),
      '--set',
      'contactData.phoneNumber=+4930901820',
    );
    expect(ended.code).toBe(0);
    expect(sentences(ended)).toMatch(
      /^The service waits for one callback\.\n {2}The callback to IncomingCallLookup: applied to contact\./,
    );
    await using quiet = await smallEndpoint(() => ({ status: 202 }));
    const none = await send('FinishedCall', ...crm(quiet.url), '--wait', '0.1');
    expect([none.code, none.stderr, sentences(none)]).toEqual([
      1,
      'Answered with 202: waiting up to 0.1 s for the callback (--wait changes it) …\n',
      expect.stringContaining('No callback came within 0.1 s; the limit is 300 s, and --wait waits longer.'),
    ]);
  });

  it('sends once more after a failure, with the same callbackUrl, and shows both', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 500 }));
    const ended = await send('Manual', ...crm(endpoint.url));
    expect(ended.code).toBe(1);
    expect(ended.stdout.match(/^← 500 in /gm)).toHaveLength(2);
    expect(ended.stdout).toMatch(/^→ POST \S+ {2}Manual, once more$/m);
    expect(sentences(ended)).toContain('The event was sent twice without a valid answer: status 500');
    const [first, second] = endpoint.requests.map(({ body }) => JSON.parse(body));
    expect(second).toEqual(first);
  });

  it('does not apply an invalid answer', async () => {
    await using endpoint = await smallEndpoint(() => ({
      status: 200,
      body: '{"requestContactUpdate":true,"contactData":{"crmContactId":7}}',
    }));
    const ended = await send('NewConversation', ...crm(endpoint.url));
    expect([ended.code, sentences(ended).replaceAll('\n  ', ' ')]).toEqual([
      1,
      'The answer is not applied, and the event is not sent again: at /contactData/crmContactId: expected a string or null, received 7. The conversation begins with the data that the service already has.',
    ]);
  });
});

describe('send of an appointment event', () => {
  it.each<[string, Json]>([
    ['appointment.created', { status: 'proposed', customerConfirmedAt: null }],
    ['appointment.confirmed', { status: 'confirmed', customerConfirmedAt: expect.any(String) }],
    ['appointment.rescheduled', { status: 'proposed', rescheduledCount: 1 }],
    ['appointment.cancelled', { status: 'cancelled', cancelledAt: expect.any(String) }],
    ['appointment.finished', { status: 'confirmed', finishedAt: expect.any(String) }],
    ['appointment.reminder_sent', { status: 'confirmed', finishedAt: null }],
  ])('%s is about an appointment that is in this state', async (name, state) => {
    const thing = sendable(name);
    if (thing.surface !== 'api-webhooks') throw new Error('expected an appointment event');
    await using open = await openService({}, { clock: clockBefore() });
    const before = Date.now();
    const { inbox } = open;
    const appointment = inbox.appointments.wire(await preparedAppointment(inbox, thing.name, '+4915228817386'));
    expect(appointment).toMatchObject(state);
    expect(validate('appointment', appointment)).toEqual([]);
    expect(Math.abs(inbox.clock.now() - before)).toBeLessThan(5_000);
    expect(open.outbound.sent).toEqual([]);
  });

  it('is signed, and its fields can be set; the signature covers the sent bytes', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 200 }));
    const ended = await send(
      'appointment.cancelled',
      ...hooks(endpoint.url),
      '--set',
      'data.metadata.source=import',
      '--set',
      'id=whe_12345678',
    );
    expect([ended.code, sentences(ended)]).toEqual([0, 'The event counts as received.']);
    const [request] = endpoint.requests as [SmallRequest];
    expect(isSigned(request, env.HOOK_SECRET)).toBe(true);
    const event = JSON.parse(request.body);
    expect(event).toMatchObject({
      id: 'whe_12345678',
      type: 'appointment.cancelled',
      data: { metadata: { source: 'import' } },
    });
    expect(validate('apiWebhookEvent', event)).toEqual([]);
    expect(request.headers['x-svc-delivery-id']).not.toBe('whe_12345678');
    const refused = await send(
      'appointment.created',
      '--hooks-url',
      now.hooksUrl,
      '--hooks-secret',
      'env:AGENT_SECRET',
    );
    expect(refused.code).toBe(1);
    expect(sentences(refused)).toMatch(/^The event does not count as received\. /);
  });

  it('goes to the CRM webhook with appointmentData', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    expect((await send('appointmentreminderSENT', ...crm(endpoint.url))).code).toBe(0);
    const bodies = endpoint.requests.map(({ body }) => JSON.parse(body));
    expect(bodies).toMatchObject([{ eventType: 'AppointmentReminderSent', appointmentData: { status: 'confirmed' } }]);
    expect(validate('crmEvent', bodies[0])).toEqual([]);
  });
});

describe('send call', () => {
  it('holds a call and prints it as a dialogue', async () => {
    const ended = await send(
      'call',
      ...phone(now.voiceUrl),
      '--say',
      'What can you do?',
      '--press',
      '1',
      '--say',
      'I want to speak to a person',
      '--say',
      'Still there?',
      '--set',
      'contact.name=Kim Sample',
    );
    expect(ended.code).toBe(0);
    const { stdout } = ended;
    expect(stdout).toMatch(/^← 101 in [\d.]+ ms of 5 s$/m);
    const play = stdout
      .split('\n')
      .filter((line) => /^ +\d+ ms {2}/.test(line))
      .map((line) => line.replace(/^ +\d+ ms {2}(\w+) +/, '$1 '));
    expect(play[0]).toMatch(/^service starts the session, .* with contact “Kim Sample”/);
    expect(play).toEqual(
      expect.arrayContaining([
        'caller says “What can you do?”',
        'caller presses 1',
        expect.stringMatching(/^AI says .* and hands over to the team/),
        'service ends the session',
      ]),
    );
    expect(play.join('\n')).not.toContain('Still there?');
    expect(sentences(ended)).toContain('The call ended before everything was said (1 left).');
  });

  it('that is rejected is reported with the words that the caller then hears', async () => {
    const refused = await send('call', '--phone-url', now.voiceUrl, '--phone-secret', 'env:HOOK_SECRET');
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/^← 401$/m);
    expect(sentences(refused).replaceAll('\n  ', ' ')).toMatch(
      /^The AI was not reached: .* status 401\. The caller can leave a message\./,
    );
  });
});

describe('send to an endpoint that does not exist', () => {
  let port: number;
  beforeAll(async () => (port = await freePort('127.0.0.1')));

  it.each([
    ['message.received', () => chat(`http://127.0.0.1:${port}/`)],
    ['Manual', () => crm(`http://127.0.0.1:${port}/`)],
    ['appointment.created', () => hooks(`http://127.0.0.1:${port}/`)],
    ['call', () => phone(`ws://127.0.0.1:${port}/`)],
  ])('%s ends with 3', async (what, flags) => {
    const ended = await send(what, ...flags());
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/^← no connection: connect ECONNREFUSED/m);
  });
});

describe('send --json', () => {
  it('is one object with the same content', async () => {
    const { code, stdout, stderr } = await send('message.received', ...chat(now.chatUrl), '--json', '--set', 'new=1');
    expect({ code, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 1 });
    const shown = JSON.parse(stdout);
    expect(shown).toMatchObject({
      isUsable: true,
      limitMs: 10_000,
      notes: ['The service does not send new; it was added.'],
    });
    expect(shown.exchanges).toMatchObject([
      { kind: 'http', outcome: 'answered', response: { status: 200 }, totalMs: expect.any(Number) },
    ]);
    expect(JSON.parse(shown.exchanges[0].request.body)).toMatchObject({ type: 'message.received', new: '1' });
    expect(shown.sentences.length).toBeGreaterThan(0);
    const call = JSON.parse((await send('call', ...phone(now.voiceUrl), '--json')).stdout);
    expect(call.exchanges[0].call.frames.length).toBeGreaterThan(3);
    const lookup = await send('Manual', ...crm(now.crmUrl), '--json');
    expect(JSON.parse(lookup.stdout).exchanges[0].request.headers).toContainEqual(['Authorization', 'Bearer (hidden)']);
  });
});

describe('send --json with a secret that is a number', () => {
  it('redacts it in strings and leaves numbers unchanged', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 200, body: 'it is 10000' }));
    const flags = ['--chat-url', endpoint.url, '--chat-secret', 'env:SHORT', '--json'];
    const ended = await runCommand(['send', 'ping', ...flags], {
      cwd: directory.path,
      env: { ...env, SHORT: '10000' },
    });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const shown = JSON.parse(ended.stdout);
    expect(shown.limitMs).toBe(10_000);
    expect(shown.exchanges[0].response.body).toMatch(/^it is \[redacted: .*\]$/);
  });
});

describe('send reports faults', () => {
  const at = () => chat(now.chatUrl);
  it.each<[string, string[], RegExp]>([
    ['an unknown event', ['message.recieved'], /^send message\.recieved: unknown event\. Did you mean message\.received\? Expected one of\nown-AI chat: /],
    ['no endpoint', ['call'], /^send call needs an address: phone in a config file \(none was found in this directory or above\), or --phone-url ADDRESS --phone-secret env:NAME\.\n$/],
    ['another endpoint', ['call', '@chat'], /^send call needs an address: phone in the config, or --phone-url/],
    ['a secret in clear', ['ping', '--chat-url', 'http://127.0.0.1/', '--chat-secret', 'hunter2'], /^--chat-secret: expected env:NAME/],
    ['--text for a call', ['call', '--text', 'Hi'], /^--text is a customer's message: it applies to message\.received, not to call\.\n$/],
    ['sentences for a message', ['message.received', '--say', 'Hi'], /^--say and --press are actions of a caller: they apply to call, not to message\.received\.\n$/],
    ['an invalid key', ['call', '--press', '12'], /expected one of 0 to 9, \* and #/],
    ['a wait that is too long', ['ping', '--wait', '301'], /expected seconds from 0 to 300/],
    ['a field of a string', ['message.received', '@chat', '--set', 'data.channel.name=x'], /^--set data\.channel\.name=x: data\.channel is a string and has no fields\./],
    ['no JSON', ['message.received', '@chat', '--set-json', 'data={'], /^--set-json data=\{: the value after = is not JSON: /],
    ['no file', ['ping', '@chat', '--body', 'nope.json'], /^--body nope\.json cannot be read: there is no such file/],
    ['nothing to send', [], /missing required argument 'what'/],
  ])('%s', async (_, args, message) => {
    const flags = args.flatMap((arg) => (arg === '@chat' ? at() : [arg]));
    const ended = await runCommand(['send', ...flags], { cwd: directory.path, env });
    expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(ended.stderr).not.toContain('hunter2');
  });

  it('an address in a container that nothing has started', async () => {
    const chat = { url: 'http://{container}/chat', secret: 'env:AGENT_SECRET' };
    await writeFile(directory.at('image.json'), JSON.stringify({ chat, container: { image: 'acme/integrator' } }));
    const ended = await runCommand(['send', 'ping', '--config', 'image.json'], { cwd: directory.path, env: { ...env, AGENT_SECRET: 'whsec_x' } });
    expect([ended.code, ended.stderr]).toEqual([
      2,
      'send does not start containers, and chat.url is http://{container}/chat. Give the address of a running one with --chat-url ADDRESS --chat-secret env:NAME.\n',
    ]);
  });

  it('a file of --body that no field can be set in, or that is not a frame', async () => {
    await writeFile(directory.at('list.json'), '[1]');
    const fields = await send('ping', ...at(), '--body', 'list.json', '--set', 'id=x');
    expect([fields.code, fields.stderr]).toEqual([2, '--set needs a JSON object; the --body file does not contain one.\n']);
    const frame = await send('call', ...phone(now.voiceUrl), '--body', 'list.json');
    expect([frame.code, frame.stderr]).toEqual([2, '--body of a call is its first frame: expected a JSON object in the file, received something else.\n']);
  });

  it('a file of --body that is nested too deep to set a field in it, or for a frame', async () => {
    await writeFile(directory.at('deep.json'), `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const refused = [2, '--body deep.json: expected a JSON object, received JSON nested more than 200 levels deep.\n'];
    const fields = await send('ping', ...at(), '--body', 'deep.json', '--set', 'id=x');
    expect([fields.code, fields.stderr]).toEqual(refused);
    const frame = await send('call', ...phone(now.voiceUrl), '--body', 'deep.json');
    expect([frame.code, frame.stderr]).toEqual(refused);
  });
}); // prettier-ignore
