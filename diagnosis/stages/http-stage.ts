import type { Answer, CallObservation, Observation } from '../../harness/wire/observation.ts';
import { runAgentTest } from '../run-agent-test.ts';
import type { Connection } from '../connection.ts';
import { describeExchange } from '../describe-exchange.ts';
import { HttpControls } from './http-controls.ts';
import { judgeAnswer, type SendAnother } from './judge-answer.ts';
import { judgeUpgrade } from './judge-upgrade.ts';
import type { Stage, StageNotes, StageOutcome } from './stage.ts';

type StageExchange = Observation | CallObservation;

/**
 * Sends a valid request and determines from the answer which component answers and whether the request reaches the
 * endpoint at all. Later stages explain refusals by the endpoint itself.
 */
export const httpStage: Stage = async (connection, notes) => {
  const outcome = await judgeFirstRequest(connection, notes);
  if (outcome.ifRefused) notes.ifRefused = outcome.ifRefused;
  connection.mayBeGated = outcome.ifRefused?.id === 'http/gate-or-secret';
  if (!outcome.isAccepted) notes.isRefused = true;
  return outcome;
};

async function judgeFirstRequest(connection: Connection, notes: StageNotes): Promise<StageOutcome> {
  const controls = new HttpControls(connection);
  if (connection.surface === 'own-ai-chat') return await chatStage(connection, notes, controls);
  if (connection.surface === 'own-ai-phone') {
    const { result, exchange } = await runAgentTest(connection);
    notes.agentTest = result;
    if (!exchange)
      return { suspects: [], passed: [], seen: [`No call could be dialled: ${result.error ?? ''}.`], ends: true };
    const outcome = await judgeUpgrade(exchange.answer, connection, controls);
    return withExchangeFirst('A signed call', exchange, outcome);
  }
  const exchange = await connection.ask(connection.case().delivery, { label: 'a normal event' });
  const outcome = await judgeAnswer(
    exchange.answer,
    connection,
    controls,
    anotherOf(connection, 'another normal event'),
  );
  return withExchangeFirst('A normal event', exchange, outcome);
}

async function chatStage(connection: Connection, notes: StageNotes, controls: HttpControls): Promise<StageOutcome> {
  const { result, exchange } = await runAgentTest(connection);
  notes.agentTest = result;
  if (!exchange)
    return { suspects: [], passed: [], seen: [`No ping could be sent: ${result.error ?? ''}.`], ends: true };
  const ask = anotherOf(connection, 'a message');
  if (isAccepted(exchange.answer)) {
    return withExchangeFirst('A signed ping', exchange, await judgeAnswer(exchange.answer, connection, controls, ask));
  }
  // The ping has no data, so the endpoint may not accept it.
  const message = await connection.ask(connection.case().delivery, { label: 'a message' });
  if (isAccepted(message.answer)) {
    const again = await runAgentTest(connection);
    const isSo = !again.result.success;
    // The result of the app may vary: the latest is reported, and the first is in the evidence.
    notes.agentTest = again.result;
    const outcome: StageOutcome = {
      ...(isSo && {
        found: {
          id: 'http/ping-not-handled',
          summary: `A message is accepted, but a ping gets: ${again.result.error ?? ''}.`,
        },
      }),
      suspects: [],
      passed: ['A signed message is accepted.'],
      isAccepted: true,
      seen: [describeExchange('A signed message', message)],
    };
    return withExchangeFirst('A signed ping', exchange, outcome);
  }
  const outcome = await judgeAnswer(message.answer, connection, controls, ask);
  return withExchangeFirst('A signed ping', exchange, withExchangeFirst('A signed message', message, outcome));
}

function anotherOf(connection: Connection, label: string): SendAnother {
  return async (timeoutMs = connection.timeoutMs) =>
    (await connection.ask(connection.case().delivery, { label, timeoutMs })).answer;
}

function isAccepted(answer: Answer): boolean {
  return answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300;
}

function withExchangeFirst(what: string, exchange: StageExchange, outcome: StageOutcome): StageOutcome {
  return { ...outcome, seen: [describeExchange(what, exchange), ...outcome.seen] };
}
