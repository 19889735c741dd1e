import type { OutboundAnswer } from './outbound.ts';

/** What came back to a request, in a few words. Nothing of a body is quoted. */
export function describeAnswer(answer: OutboundAnswer): string {
  switch (answer.outcome) {
    case 'answered':
      return `status ${answer.status}`;
    case 'no-answer':
      return `no complete answer within ${answer.afterMs / 1000} s`;
    case 'closed':
      return `the connection was closed before the answer was complete: ${answer.detail}`;
    case 'malformed':
      return `what came back is not HTTP: ${answer.detail}`;
    case 'unreachable':
      return `no connection: ${answer.detail}`;
  }
}

/** The status of an answer; `undefined` where none came. */
export function statusOf(answer: OutboundAnswer): number | undefined {
  return answer.outcome === 'answered' ? answer.status : undefined;
}

/** The same for machines, as the events of the service carry it. */
export function answerData(answer: OutboundAnswer & { ms: number }): Record<string, unknown> {
  const status = statusOf(answer);
  return { outcome: answer.outcome, ...(status !== undefined && { status }), ms: Math.round(answer.ms) };
}
