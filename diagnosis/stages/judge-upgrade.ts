import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Answered, header } from '../../harness/wire/observation.ts';
import { requestedPauseMs, longestDiagnosisPauseMs } from '../../harness/wire/requested-pause.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { runAgentTest } from '../run-agent-test.ts';
import type { CauseId } from '../causes.ts';
import type { Connection } from '../connection.ts';
import { isSamePage } from '../is-same-page.ts';
import type { HttpControls } from './http-controls.ts';
import {
  outcomeWith,
  judgeEnd,
  judgeGateway,
  judgeLimited,
  judgeStatus,
  noFinding,
  silentOutcome,
} from './judge-answer.ts';
import { judgeMalformed } from './judge-malformed.ts';
import { confirmOutcome } from './confirm-outcome.ts';
import type { StageOutcome } from './stage.ts';

/** Messages of the WebSocket library for an invalid 101. */
const brokenHandshakes: readonly { pattern: RegExp; id: CauseId; text: string }[] = [
  {
    pattern: /Sec-WebSocket-Accept/,
    id: 'http/wrong-accept',
    text: 'The answer to the upgrade has an invalid Sec-WebSocket-Accept.',
  },
  {
    pattern: /sent (?:a subprotocol but none was requested|an invalid subprotocol)/i,
    id: 'phone/subprotocol-unasked',
    text: 'The endpoint chooses a WebSocket subprotocol that was not offered.',
  },
  {
    pattern: /Upgrade header|Sec-WebSocket-Extensions/i,
    id: 'http/upgrade-incomplete',
    text: 'The answer to the upgrade violates the WebSocket handshake.',
  },
];

/** Determines from the answer to a valid upgrade which component answered. */
export async function judgeUpgrade(
  answer: Answer,
  connection: Connection,
  controls: HttpControls,
): Promise<StageOutcome> {
  if (isConnected(answer)) return { ...noFinding, isAccepted: true, passed: ['A signed upgrade is accepted.'] };
  const again = anotherUpgrade(connection, answer);
  switch (answer.outcome) {
    case 'answered':
      return await confirmOutcome(answer, await judgeRefusal(answer, connection, controls), again);
    case 'malformed': {
      const broken = brokenHandshakes.find(({ pattern }) => pattern.test(answer.detail));
      const said = broken ? outcomeWith(broken.id, broken.text) : await judgeMalformed(answer, connection);
      return await confirmOutcome(answer, said, again);
    }
    case 'no-answer':
      if ((await controls.ask('get')).outcome !== 'no-answer') return noFinding;
      return silentOutcome(answer.afterMs);
    case 'closed':
    case 'unreachable':
      return await judgeEnd(answer, connection, controls);
  }
}

async function judgeRefusal(answer: Answered, connection: Connection, controls: HttpControls): Promise<StageOutcome> {
  const { status } = answer;
  if (status === 426 || (status === 400 && mentionsUpgrade(answer))) {
    const isSame = isSamePage(answer, await controls.ask('get'), [controls.path]);
    if (isSame) {
      return outcomeWith(
        'http/upgrade-stripped',
        `The endpoint does not receive the upgrade: it answers ${status} as to a plain GET.`,
      );
    }
  }
  if (status >= 200 && status < 300) {
    const get = await controls.ask('get');
    if (isSamePage(answer, get, [controls.path])) {
      return outcomeWith(
        'http/no-websocket',
        `An ordinary HTTP handler answers the upgrade with ${status}, as it does a plain GET.`,
      );
    }
  }
  if (status === 404) {
    const get = await controls.ask('get');
    const allow = get.outcome === 'answered' && get.status === 405 ? (header(get, 'allow') ?? '') : '';
    if (/\bPOST\b/i.test(allow) && !/\bGET\b/i.test(allow)) {
      return outcomeWith(
        'http/no-websocket',
        `The path accepts ${allow} but no calls: it answers an upgrade with 404.`,
      );
    }
  }
  const again = anotherUpgrade(connection, answer);
  const later = status === 429 ? await laterAnswer(answer, again) : undefined;
  if (later && isConnected(later)) return { ...noFinding, isAccepted: true, passed: ['A signed upgrade is accepted.'] };
  const isLimited = later?.outcome === 'answered' && later.status === 429;
  return (
    (await judgeStatus(answer, connection, controls)) ??
    (isLimited ? await judgeLimited(answer, connection, controls) : undefined) ??
    (await judgeGateway(answer, controls, again)) ?? {
      ...noFinding,
      passed: ['An HTTP server answers at the URL.'],
    }
  );
}

function anotherUpgrade(connection: Connection, answer: Answer): () => Promise<Answer> {
  return async () => (await runAgentTest(connection)).exchange?.answer ?? answer;
}

/** The answer to another upgrade after the requested pause; the first answer if the pause is too long. */
async function laterAnswer(answer: Answered, again: () => Promise<Answer>): Promise<Answer> {
  const pauseMs = requestedPauseMs(answer) ?? 0;
  if (pauseMs > longestDiagnosisPauseMs) return answer;
  await delay(pauseMs);
  return await again();
}

function mentionsUpgrade({ body }: Answered): boolean {
  return /\bupgrade\b/i.test(Buffer.from(body).toString('utf8'));
}
