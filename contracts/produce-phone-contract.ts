import { isDeepStrictEqual } from 'node:util';
import type { PactV4 } from '@pact-foundation/pact';
import type { Contract } from '../generators/contracts/contract.ts';
import {
  exampleCallId,
  exampleSentences,
  ownAiPhoneContract,
  type PhoneInteraction,
} from '../generators/contracts/own-ai-phone.ts';
import { Session } from '../harness/checks/session.ts';
import { runDefaults, type RunSettings } from '../harness/config/settings.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { loadPact } from './load-pact.ts';
import { producePhoneMessage } from './produce-phone-message.ts';
import { ScriptedAi, type AiScript } from './scripted-ai.ts';
import type { JsonFields, JsonValue } from '../specs/json-value.ts';

/** The message as Pact generates it: the frame of the service, if it begins, and that of the AI. */
interface MessagePair {
  readonly request?: JsonFields;
  readonly response: JsonFields;
}

const closing = { type: 'text', text: '', last: true };
const open = { type: 'text', text: 'We are open', last: false };

/**
 * Writes the phone contract into a directory, each message only after our phone driver has held a call in which it sent
 * the frame that Pact gives for the service, and received and understood the one that Pact gives for the AI.
 *
 * @throws Error for a message that the driver does not send or understand as the contract requires
 */
export async function producePhoneContract(
  directory: string,
  contract: Contract<PhoneInteraction> = ownAiPhoneContract,
): Promise<void> {
  const { PactV4 } = await loadPact();
  const { consumer, provider, interactions } = contract;
  await using ai = await ScriptedAi.open(exampleCallId);
  await using session = await Session.open(settingsFor(ai.url));
  for (const interaction of interactions) {
    const pact = new PactV4({ consumer, provider, dir: directory, logLevel: 'error' });
    await exchanged(pact, interaction, (messages) => hold(session, ai, interaction, messages));
  }
}

/** Passes a message to Pact, which writes it once `hold` has ended. */
async function exchanged(
  pact: PactV4,
  interaction: PhoneInteraction,
  run: (messages: MessagePair) => Promise<void>,
): Promise<void> {
  const comment = { key: 'requirement', value: interaction.requirement };
  if (interaction.kind === 'asynchronous') {
    const message = pact.addAsynchronousInteraction().comment(comment);
    for (const { name, params } of interaction.states) message.given(name, params as JsonMap);
    await message
      .expectsToReceive(interaction.description, (builder) => builder.withJSONContent(interaction.content))
      .executeTest(async ({ contents }) => await run({ response: contents.content as JsonFields }));
    return;
  }
  const exchange = pact.addSynchronousInteraction(interaction.description).comment(comment);
  for (const { name, params } of interaction.states) exchange.given(name, params as JsonMap);
  await exchange
    .withRequest((builder) => builder.withJSONContent(interaction.request))
    .withResponse((builder) => interaction.responses.forEach((response) => builder.withJSONContent(response)))
    .executeTest(
      async ({ Request, Response }) =>
        await run({ request: parsed(Request.content), response: parsed(Response[0]?.content) }),
    );
}

/** Parameters of states as Pact's types have them. */
type JsonMap = Parameters<ReturnType<PactV4['addSynchronousInteraction']>['given']>[1];

function parsed(content: unknown): JsonFields {
  return JSON.parse((content as Buffer).toString('utf8')) as JsonFields;
}

/** Holds the call of a message with an AI that answers as Pact says. */
async function hold(
  session: Session,
  ai: ScriptedAi,
  interaction: PhoneInteraction,
  { request, response }: MessagePair,
): Promise<void> {
  ai.follow(scriptFor(interaction, request, response));
  const held = await producePhoneMessage(session.phone, interaction, {
    sentences: exampleSentences,
    label: interaction.description,
    callId: exampleCallId,
  });
  const fail = (expected: string, received: string): never => {
    throw new Error(`${interaction.description}: expected ${expected}, received ${received}`);
  };
  if (held.outcome !== 'frame') return fail(`a call that shows ${shortJson(response)}`, held.reason);
  if (
    Object.entries(response).some(([name, value]) => !isDeepStrictEqual(held.frame[name] ?? held.frame['text'], value))
  ) {
    fail(`the frame ${shortJson(response)}`, shortJson(held.frame));
  }
  if (request && !ai.heard.some((frame) => isDeepStrictEqual(withExampleWorkspace(frame, request), request))) {
    fail(`the driver to send ${shortJson(request)}`, shortJson(ai.heard));
  }
}

/** The frame as the workspace of the contract sends it: the driver names the workspace of its run. */
function withExampleWorkspace(frame: JsonFields, { workspaceId }: JsonFields): JsonFields {
  return 'workspaceId' in frame && workspaceId !== undefined ? { ...frame, workspaceId } : frame;
}

/** The AI's script for the call that produces the message. */
function scriptFor({ cue }: PhoneInteraction, request: JsonFields | undefined, response: JsonFields): AiScript {
  const answer = response['type'] === 'text' && response['last'] !== true ? [response, closing] : [response];
  if (cue.says === 'none') return ({ type }) => (type === 'session.started' ? answer : []);
  if (cue.pick === 'closing') return ({ type }) => (type === 'prompt' ? [open, response] : []);
  const before: Readonly<Record<string, JsonValue>> = {
    interrupt: open,
    'skill.result': { type: 'skill', executeSkills: [request?.['key'] ?? ''] },
  };
  const first = before[request?.['type'] as string];
  return ({ type }, prompts) => {
    if (type !== 'prompt') return [];
    return first !== undefined && prompts === 1 ? [first] : answer;
  };
}

/** Settings of a run with calls to this address only. The secret grants no access. */
function settingsFor(url: string): RunSettings {
  return {
    ...runDefaults,
    config: {
      phone: { url, secret: 'whsec_made-up-for-contracts', timeoutSeconds: 10 },
      skills: [
        { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
        { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: null },
      ],
      stimuli: {},
      service: { host: '127.0.0.1', port: 0 },
    },
    seed: 1,
    callbackWaitMs: 0,
    callbackLimitMs: 0,
    only: [],
  };
}
