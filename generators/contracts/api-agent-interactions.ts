import { limits } from '../../specs/limits.ts';
import { schemas } from '../../specs/schemas.ts';
import type { ApiInteractionPlan } from './api-interaction.ts';
import type { JsonFields } from '../../specs/json-value.ts';

const agentId = 3;
const [chatUrl, voiceUrl] = ['https://integrator.example/chat', 'wss://integrator.example/voice'] as const;

const skill = { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null, hoursLimited: false };
const example = schemas.agent.examples?.[0] as JsonFields;
// Without the times of the last success and failure, which an unused assistant does not have.
const agent = { ...example, agentId, lastSuccessAt: null, skills: [skill] };
const shown = Object.keys(agent).filter((name) => !name.startsWith('last'));
// A string or null in each skill.
const hides = ['announcement'];

const anAgent = { name: 'an assistant exists', params: { agentId, chatUrl } } as const;
const noAgent = { name: 'no such assistant', params: { agentId } } as const;

/** The own-AI assistants (interface: API v1; Own-AI assistant). */
export const apiAgentInteractions = {
  'list-agents/listed': {
    operation: 'listAgents',
    does: 'the own-AI assistants are read',
    requirement: 'service/agents-are-listed',
    states: [anAgent],
    answer: { status: 200, body: [agent], shows: shown, hides },
    notShown: ['agent-skill-members'],
  },
  'list-agents/none': {
    operation: 'listAgents',
    does: 'the own-AI assistants of an inbox without any are read',
    requirement: 'service/agents-are-listed',
    states: [{ name: 'the inbox has no assistant' }],
    answer: { status: 200, body: [] },
  },
  'get-agent/found': {
    operation: 'getAgent',
    does: 'an own-AI assistant is read',
    requirement: 'service/agent-has-its-members',
    states: [anAgent],
    parameters: { id: agentId },
    answer: { status: 200, body: agent, shows: shown, hides },
    notShown: ['agent-skill-members'],
  },
  'get-agent/without-secret': {
    operation: 'getAgent',
    does: 'an own-AI assistant without a secret is read',
    requirement: 'service/agent-never-shows-its-secret',
    states: [{ name: 'the assistant has no secret', params: { agentId } }],
    parameters: { id: agentId },
    answer: {
      status: 200,
      body: { ...agent, hasSecret: false },
      exact: ['/hasSecret'],
      shows: ['agentId', 'hasSecret'],
    },
  },
  'get-agent/unknown': {
    operation: 'getAgent',
    does: 'an assistant that the inbox does not have is asked for',
    requirement: 'service/agent-has-its-members',
    states: [noAgent],
    parameters: { id: agentId },
    answer: { problem: 'not_found' },
    notShown: ['not-found-code'],
  },
  'change-agent/addresses': {
    operation: 'changeAgent',
    does: 'the addresses of an assistant are changed',
    requirement: 'service/agent-change-leaves-the-rest',
    states: [anAgent],
    parameters: { id: agentId },
    body: { chatUrl, voiceUrl },
    answer: { status: 200, body: { ...agent, chatUrl, voiceUrl }, shows: shown, hides },
    notShown: ['agent-skill-members'],
  },
  'change-agent/waiting-time-and-voice': {
    operation: 'changeAgent',
    does: 'the waiting time and the voice of an assistant are changed',
    requirement: 'service/agent-change-leaves-the-rest',
    states: [anAgent],
    parameters: { id: agentId },
    body: { timeoutSeconds: limits.ownAiTimeoutSecondsDefault, voiceId: 'voice-12' },
    answer: { status: 200, body: { ...agent, voiceId: 'voice-12' }, shows: shown, hides },
    notShown: ['agent-skill-members'],
  },
  'change-agent/disconnected': {
    operation: 'changeAgent',
    does: 'an assistant is disconnected from chat',
    requirement: 'service/agent-empty-address-disconnects',
    states: [anAgent],
    parameters: { id: agentId },
    body: { chatUrl: '' },
    exact: ['/chatUrl'],
    answer: { status: 200, body: { ...agent, chatUrl: '' }, exact: ['/chatUrl'], shows: ['agentId', 'chatUrl'] },
  },
  'change-agent/invalid-chat-url': {
    operation: 'changeAgent',
    does: 'a chat address that is not https is refused',
    requirement: 'service/agent-chat-address-is-https',
    states: [anAgent],
    parameters: { id: agentId },
    body: { chatUrl: 'http://integrator.example/chat' },
    exact: ['/chatUrl'],
    answer: { problem: 'invalid_chat_url' },
  },
  'change-agent/invalid-voice-url': {
    operation: 'changeAgent',
    does: 'a phone address that is not wss is refused',
    requirement: 'service/agent-voice-address-is-wss',
    states: [anAgent],
    parameters: { id: agentId },
    body: { voiceUrl: 'ws://integrator.example/voice' },
    exact: ['/voiceUrl'],
    answer: { problem: 'invalid_voice_url' },
  },
  'change-agent/unknown': {
    operation: 'changeAgent',
    does: 'the change of an assistant that the inbox does not have is refused',
    requirement: 'service/agent-change-leaves-the-rest',
    states: [noAgent],
    parameters: { id: agentId },
    body: { chatUrl },
    answer: { problem: 'not_found' },
    notShown: ['not-found-code'],
  },
  'replace-agent-secret/replaced': {
    operation: 'replaceAgentSecret',
    does: 'a new secret of an assistant is made',
    requirement: 'service/agent-secret-is-made',
    states: [anAgent],
    parameters: { id: agentId },
    answer: { status: 200, body: { secret: 'whsec_an-example-and-no-secret' } },
    notShown: ['agent-secret-status'],
  },
  'replace-agent-secret/unknown': {
    operation: 'replaceAgentSecret',
    does: 'a new secret of an assistant that the inbox does not have is refused',
    requirement: 'service/agent-secret-is-made',
    states: [noAgent],
    parameters: { id: agentId },
    answer: { problem: 'not_found' },
    notShown: ['not-found-code'],
  },
  'test-agent/passed': {
    operation: 'testAgent',
    does: 'the connection of an assistant is tested, and works',
    requirement: 'service/agent-test-pings-and-dials',
    states: [{ name: 'the own AI passes the test', params: { agentId } }],
    parameters: { id: agentId },
    answer: {
      status: 200,
      body: { success: true, statusCode: 200, durationMs: 84, error: null },
      exact: ['/success'],
      shows: ['success', 'statusCode', 'durationMs'],
    },
  },
  'test-agent/failed': {
    operation: 'testAgent',
    does: 'the connection of an assistant is tested, and does not work',
    requirement: 'service/agent-test-tells-a-failure',
    states: [{ name: 'the own AI fails the test', params: { agentId } }],
    parameters: { id: agentId },
    answer: {
      status: 200,
      body: { success: false, statusCode: 503, durationMs: 112, error: 'The chat address answered 503.' },
      exact: ['/success'],
      shows: ['success', 'durationMs', 'error'],
    },
  },
  'test-agent/unknown': {
    operation: 'testAgent',
    does: 'the test of an assistant that the inbox does not have is refused',
    requirement: 'service/agent-test-pings-and-dials',
    states: [noAgent],
    parameters: { id: agentId },
    answer: { problem: 'not_found' },
    notShown: ['not-found-code'],
  },
} as const satisfies Readonly<Record<string, ApiInteractionPlan>>;
