import type { Answer, CallObservation, Observation } from '../../harness/wire/observation.ts';
import { runAgentTest } from '../run-agent-test.ts';
import type { Connection } from '../connection.ts';
import { describeExchange } from '../describe-exchange.ts';
import { HttpControls } from './http-controls.ts';
import { judgeAnswer, type Again } from './judge-answer.ts';
import { judgeUpgrade } from './judge-upgrade.ts';
import type { Stage, StageNotes, StageOutcome } from './stage.ts';

type Exchange = Observation | CallObservation;

/**
 * Sends what is right, and looks at how it is answered before anything of the interface is: by whom, and whether the
 * endpoint has seen it at all. What may be a refusal of the endpoint's own is left to what comes after.
 */
export const httpStage: Stage = async (connection, notes) => {
  const outcome = await lookAtAnswer(connection, notes);
  if (outcome.ifRefused) notes.ifRefused = outcome.ifRefused;
  if (!outcome.isAccepted) notes.isRefused = true;
  return outcome;
};

async function lookAtAnswer(connection: Connection, notes: StageNotes): Promise<StageOutcome> {
  const controls = new HttpControls(connection);
  if (connection.surface === 'own-ai-chat') return await chatStage(connection, notes, controls);
  if (connection.surface === 'own-ai-phone') {
    const { result, exchange } = await runAgentTest(connection);
    notes.agentTest = result;
    if (!exchange)
      return { suspects: [], passed: [], seen: [`No call could be dialled: ${result.error ?? ''}.`], ends: true };
    const outcome = await judgeUpgrade(exchange.answer, connection, controls);
    return seenFirst('A signed call', exchange, outcome);
  }
  const exchange = await connection.ask(connection.case().delivery, { label: 'an event as it is usual' });
  const outcome = await judgeAnswer(
    exchange.answer,
    connection,
    controls,
    anotherOf(connection, 'another event as it is usual'),
  );
  return seenFirst('An event as it is usual', exchange, outcome);
}

async function chatStage(connection: Connection, notes: StageNotes, controls: HttpControls): Promise<StageOutcome> {
  const { result, exchange } = await runAgentTest(connection);
  notes.agentTest = result;
  if (!exchange)
    return { suspects: [], passed: [], seen: [`No ping could be sent: ${result.error ?? ''}.`], ends: true };
  const ask = anotherOf(connection, 'a message');
  if (isTaken(exchange.answer)) {
    return seenFirst('A signed ping', exchange, await judgeAnswer(exchange.answer, connection, controls, ask));
  }
  // The ping has no data, so it may be what the endpoint cannot take.
  const message = await connection.ask(connection.case().delivery, { label: 'a message' });
  if (isTaken(message.answer)) {
    const again = await runAgentTest(connection);
    const isSo = !again.result.success;
    // What the app shows differs from one time to the next then; the latest is told, and the first is seen.
    notes.agentTest = again.result;
    const outcome: StageOutcome = {
      ...(isSo && {
        found: {
          id: 'http/ping-not-taken',
          summary: `A message is taken, and a ping gets: ${again.result.error ?? ''}.`,
        },
      }),
      suspects: [],
      passed: ['A signed message is taken.'],
      isAccepted: true,
      seen: [describeExchange('A signed message', message)],
    };
    return seenFirst('A signed ping', exchange, outcome);
  }
  const outcome = await judgeAnswer(message.answer, connection, controls, ask);
  return seenFirst('A signed ping', exchange, seenFirst('A signed message', message, outcome));
}

function anotherOf(connection: Connection, label: string): Again {
  return async (patienceMs = connection.patienceMs) =>
    (await connection.ask(connection.case().delivery, { label, patienceMs })).answer;
}

function isTaken(answer: Answer): boolean {
  return answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300;
}

function seenFirst(what: string, exchange: Exchange, outcome: StageOutcome): StageOutcome {
  return { ...outcome, seen: [describeExchange(what, exchange), ...outcome.seen] };
}
