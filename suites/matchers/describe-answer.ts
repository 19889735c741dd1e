import type { Answer, WireExchange } from '../../harness/wire/observation.ts';

/** Characters of an answer's body that a message quotes; the evidence has more. */
const quotedCharacters = 120;

/** Describes an answer for a message: `status 200 with {"ok":true}`, `no answer within 2000 ms`. */
export function describeAnswer(answer: Answer): string {
  switch (answer.outcome) {
    case 'answered': {
      const text = Buffer.from(answer.body.subarray(0, 4 * quotedCharacters)).toString('utf8');
      if (text === '') return `status ${answer.status} without a body`;
      return `status ${answer.status} with ${text.length > quotedCharacters ? `${text.slice(0, quotedCharacters)}…` : text}`;
    }
    case 'no-answer':
      return `no complete answer within ${answer.afterMs} ms${describePartial(answer)}`;
    case 'closed':
      return `a connection closed before the answer was complete (${answer.detail}${answer.stop ? '), after which nothing listened there' : ')'}`;
    case 'malformed':
      return `an answer that is not HTTP or cannot be read (${answer.detail})`;
    case 'unreachable':
      return `no connection (${answer.detail})`;
  }
}

/** The received part of an answer that was not complete in time. */
function describePartial({ status, bodyBytes = 0 }: Extract<Answer, { outcome: 'no-answer' }>): string {
  return status === undefined
    ? ''
    : ` (status ${status} was received, with ${bodyBytes} bytes of a body that did not end)`;
}

/** Describes an exchange for messages: `for POST http://… (IncomingCallLookup)`. */
export function describeExchange(exchange: WireExchange): string {
  const { request, label, kind } = exchange;
  if (kind === 'http') return `for ${request.method} ${request.url} (${label})`;
  if (kind === 'call') return `in a call to ${request.url} (${label})`;
  return `for ${request.method} ${request.url}`;
}
