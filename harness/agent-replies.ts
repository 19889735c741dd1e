import type { AgentReplyRequest, AgentReplyResponse, ProblemDetails } from '../specs/types.ts';
import { validate } from '../specs/validators.ts';
import type { Reply, Responder } from './inbox.ts';
import { header, type WireRequest } from './observation.ts';
import { parseJson } from './json.ts';

/** How the service behaves towards the replies of one conversation. */
export interface ReplyBehaviour {
  /** Refuses each reply so; default: takes it. */
  refuse?: 404 | 409 | 422;
  /** Holds each answer back until this has come about. */
  after?: Promise<unknown>;
}

const refusals = {
  404: ['project_not_found', 'No such project in this inbox.'],
  409: ['project_not_with_agent', 'The team has the conversation; nothing was done.'],
  422: ['not_deliverable', 'The text could not be delivered; the team has the conversation.'],
} as const;

/** The API key of a request, in either header form (interface: Authentication). */
export function apiKeyOf(request: Pick<WireRequest, 'headers'>): string | undefined {
  const bearer = /^bearer +(.+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
  return header(request, 'x-api-key') ?? bearer;
}

/**
 * Answers `POST …/agent-replies` of one project as the service does (interface: API v1, Errors). Without a known
 * `apiKey` any key is taken.
 */
export function agentReplies(projectId: number, apiKey: string | undefined, behaviour: ReplyBehaviour = {}): Responder {
  let messageId = 1;
  const answer = ({ request }: Parameters<Responder>[0]): Reply => {
    const key = apiKeyOf(request);
    if (key === undefined || (apiKey !== undefined && key !== apiKey)) {
      return problem(401, 'invalid_api_key', 'The API key is missing or not known here.');
    }
    if (request.method !== 'POST') return problem(405, 'method_not_allowed', 'Replies are posted.');
    const body = parseJson(request.body);
    if ('error' in body || validate('agentReplyRequest', body.value).length > 0) {
      return problem(400, 'invalid_reply', 'The reply is not valid.');
    }
    if (behaviour.refuse !== undefined)
      return problem(behaviour.refuse, ...(refusals[behaviour.refuse] as [string, string]));
    const { text, action } = body.value as AgentReplyRequest;
    const sent = text !== undefined && text !== null && text !== '';
    return {
      status: 202,
      body: {
        projectId,
        messageId: sent ? messageId++ : null,
        status: action === 'handover' ? 'handed_over' : sent ? 'sent' : 'noop',
        autoReply: { state: action === 'handover' ? 'off' : 'on' },
      } satisfies AgentReplyResponse,
    };
  };
  const { after } = behaviour;
  return after === undefined ? answer : (arrival) => ({ ...answer(arrival), after });
}

function problem(status: number, title: string, detail: string): Reply {
  return { status, body: { type: 'about:blank', title, status, detail } satisfies ProblemDetails };
}
