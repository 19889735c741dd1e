import { problems, type ProblemCode } from '../../specs/api-problems.ts';
import type { AgentReplyRequest } from '../../specs/generated/types.ts';
import { adoptConversation } from '../../service/adopt-event.ts';
import { Problem } from '../../service/problem.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import type { Responder, Reply } from './responder.ts';
import { parseJson } from '../checks/json.ts';
import { header, type WireRequest } from './observation.ts';

/** How the service answers the replies of one conversation. */
export interface ReplyBehaviour {
  /**
   * Rejects each reply: 404 as for an unknown project, 409 as for a conversation without an own-AI assistant, 422 as
   * for an undeliverable message. Default: accepts it.
   */
  refuse?: 404 | 409 | 422;
  /** Called when a reply arrives: delays its answer until this promise resolves. */
  after?: () => Promise<unknown>;
}

/** The conversation of an event: its `data`, with the assistant that answers it. */
export interface EventConversation extends Record<string, unknown> {
  projectId: number;
  agentId: number;
  /** The skills of the assistant. */
  skills?: unknown;
}

/** The API key of a request, in either header form (interface: Authentication). */
export function apiKeyOf(request: Pick<WireRequest, 'headers'>): string | undefined {
  const bearer = /^bearer +(.+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
  return header(request, 'x-api-key') ?? bearer;
}

/** Name of the header with the API key of a request; `x-api-key` if it has none. */
export function keyHeaderOf(request: Pick<WireRequest, 'headers'>): 'x-api-key' | 'authorization' {
  const has = (name: string) => (header(request, name) ?? '') !== '';
  return has('authorization') && !has('x-api-key') ? 'authorization' : 'x-api-key';
}

/**
 * Adds a conversation to the simulated service, and answers its `POST …/agent-replies` like the service (interface: API
 * v1, Errors). Without a known `apiKey` any key is accepted.
 */
export function agentReplies(
  inbox: ServiceInbox,
  conversation: EventConversation,
  apiKey: string | undefined,
  behaviour: ReplyBehaviour = {},
): Responder {
  const { projectId } = conversation;
  const agentId = behaviour.refuse === 409 ? null : conversation.agentId;
  const project = adoptConversation(inbox, { ...conversation, agentId });
  inbox.conversations.contactOf(project).undeliverable = behaviour.refuse === 422;
  const answer = ({ request, truncated }: Parameters<Responder>[0]): Reply => {
    const key = apiKeyOf(request);
    if (key === undefined || (apiKey !== undefined && key !== apiKey)) return problem('unauthorized');
    if (request.method !== 'POST') return problem('method_not_allowed');
    // As in the rest of API v1 (assumption api-request-bounds).
    if (truncated) return problem('payload_too_large');
    const body = parseJson(request.body);
    if ('error' in body) return problem('invalid_reply', `The body is not JSON: it is ${body.error}.`);
    if (behaviour.refuse === 404) return problem('project_not_found');
    try {
      return { status: 202, body: inbox.agentReplies.reply(projectId, body.value as AgentReplyRequest) };
    } catch (error) {
      if (error instanceof Problem) return { status: error.status, body: error.body };
      throw error;
    }
  };
  const { after } = behaviour;
  return after === undefined ? answer : (arrival) => ({ ...answer(arrival), after: after() });
}

function problem(code: ProblemCode, detail?: string): Reply {
  return { status: problems[code].status, body: new Problem(code, detail).body };
}
