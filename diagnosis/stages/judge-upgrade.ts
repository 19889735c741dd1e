import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Answered } from '../../harness/wire/observation.ts';
import { header } from '../../harness/wire/observation.ts';
import { requestedPauseMs, longestDiagnosisPauseMs } from '../../harness/wire/pace.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { agentTest } from '../agent-test.ts';
import type { CauseId } from '../causes.ts';
import type { Connection } from '../connection.ts';
import { isSamePage, type HttpControls } from './http-controls.ts';
import { found, judgeEnd, judgeGateway, judgeLimited, judgeStatus, passedOn, silent } from './judge-answer.ts';
import { judgeMalformed } from './judge-malformed.ts';
import { saidTwice } from './said-twice.ts';
import type { StageOutcome } from './stage.ts';

/** What the WebSocket library says of a 101 that is none. */
const brokenHandshakes: readonly { pattern: RegExp; id: CauseId; text: string }[] = [
  {
    pattern: /Sec-WebSocket-Accept/,
    id: 'http/wrong-accept',
    text: 'The answer to the upgrade has a wrong Sec-WebSocket-Accept.',
  },
  {
    pattern: /sent (?:a subprotocol but none was requested|an invalid subprotocol)/i,
    id: 'phone/subprotocol-unasked',
    text: 'The endpoint chooses a WebSocket subprotocol that nobody offered.',
  },
  {
    pattern: /Upgrade header|Sec-WebSocket-Extensions/i,
    id: 'http/upgrade-incomplete',
    text: 'The answer to the upgrade breaks the rules of the WebSocket handshake.',
  },
];

/** What the answer to a right upgrade says about who answered. */
export async function judgeUpgrade(
  answer: Answer,
  connection: Connection,
  controls: HttpControls,
): Promise<StageOutcome> {
  if (isConnected(answer)) return { ...passedOn, isTaken: true, fine: ['A signed upgrade is taken.'] };
  const again = anotherUpgrade(connection, answer);
  switch (answer.outcome) {
    case 'answered':
      return await saidTwice(answer, await judgeRefusal(answer, connection, controls), again);
    case 'malformed': {
      const broken = brokenHandshakes.find(({ pattern }) => pattern.test(answer.detail));
      const said = broken ? found(broken.id, broken.text) : await judgeMalformed(answer.detail, connection);
      return await saidTwice(answer, said, again);
    }
    case 'no-answer':
      if ((await controls.ask('get')).outcome !== 'no-answer') return passedOn;
      return silent(answer.afterMs);
    case 'closed':
    case 'unreachable':
      return await judgeEnd(answer, connection, controls);
  }
}

async function judgeRefusal(answer: Answered, connection: Connection, controls: HttpControls): Promise<StageOutcome> {
  const { status } = answer;
  if (status === 426 || (status === 400 && speaksOfUpgrade(answer))) {
    const isSame = isSamePage(answer, await controls.ask('get'), [controls.path]);
    if (isSame) {
      return found('http/upgrade-stripped', `The endpoint sees no upgrade: it answers ${status} as to a plain GET.`);
    }
  }
  if (status >= 200 && status < 300) {
    const get = await controls.ask('get');
    if (isSamePage(answer, get, [controls.path])) {
      return found(
        'http/no-websocket',
        `An ordinary HTTP handler answers the upgrade with ${status}, as it does a plain GET.`,
      );
    }
  }
  if (status === 404) {
    const get = await controls.ask('get');
    const allow = get.outcome === 'answered' && get.status === 405 ? (header(get, 'allow') ?? '') : '';
    if (/\bPOST\b/i.test(allow) && !/\bGET\b/i.test(allow)) {
      return found('http/no-websocket', `The path takes ${allow} and no calls: it answers an upgrade with 404.`);
    }
  }
  const again = anotherUpgrade(connection, answer);
  const later = status === 429 ? await laterAnswer(answer, again) : undefined;
  if (later && isConnected(later)) return { ...passedOn, isTaken: true, fine: ['A signed upgrade is taken.'] };
  const isLimited = later?.outcome === 'answered' && later.status === 429;
  return (
    (await judgeStatus(answer, connection, controls)) ??
    (isLimited ? judgeLimited(answer) : undefined) ??
    (await judgeGateway(answer, controls, again)) ?? { ...passedOn, fine: ['An HTTP server answers at the address.'] }
  );
}

function anotherUpgrade(connection: Connection, answer: Answer): () => Promise<Answer> {
  return async () => (await agentTest(connection)).exchange?.answer ?? answer;
}

/** The answer to another upgrade after the pause that the first one's asks for; the first one when that is too long. */
async function laterAnswer(answer: Answered, again: () => Promise<Answer>): Promise<Answer> {
  const pauseMs = requestedPauseMs(answer) ?? 0;
  if (pauseMs > longestDiagnosisPauseMs) return answer;
  await delay(pauseMs);
  return await again();
}

function speaksOfUpgrade({ body }: Answered): boolean {
  return /\bupgrade\b/i.test(Buffer.from(body).toString('utf8'));
}
