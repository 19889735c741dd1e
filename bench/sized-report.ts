import { buildReport } from '../reports/model/build-report.ts';
import type { RunRecord } from '../reports/model/build-report.ts';
import { requirements } from '../specs/requirements/catalogue.ts';
import type { CallFrameRecord, CheckResult, Exchange, Report } from '../specs/generated/types.ts';

const words = 'when are you open on sunday and can you fix my heating before nine please'.split(' ');
/** Exchanges for each one that is a call. */
const callEvery = 6;
const startedMs = Date.parse('2026-10-12T09:30:00.000Z');

/** A report of a run with this many exchanges and failures, each exchange with distinct ids and contents. */
export function sizedReport(exchangeCount: number, failures: number): Report {
  const next = numbers();
  const ids = Object.keys(requirements).filter((id) => !id.startsWith('service/'));
  const exchanges = Array.from({ length: exchangeCount }, (_, index) =>
    index % callEvery === 0 ? call(index, next) : delivery(index, next),
  );
  const checks = ids.map((requirement, index): CheckResult => {
    const exchange = `ex-${Math.floor((index / ids.length) * exchangeCount) + 1}`;
    const fails = index < failures;
    return {
      id: `${requirement}#check`,
      requirement,
      surface: requirement.split('/', 1)[0] ?? '',
      title: requirement,
      level: 'must',
      verdict: fails ? 'fail' : 'pass',
      durationMs: 3,
      evidence: [exchange],
      ...(fails && {
        message: `expected status 401, received ${next(900)} ms of silence`,
        reproduce: `svc-conform check --only ${requirement} --seed 1`,
        brokeAt: { exchange, part: 'response-body' as const, pointer: '/text' },
      }),
    };
  });
  const run: RunRecord = {
    version: '0.0.0',
    protocol: '2026-10-11',
    startedAt: new Date(startedMs).toISOString(),
    durationMs: 60_000,
    seed: 1,
    target: {},
    configured: ['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone', 'api-client', 'deep-links'],
    checks,
    exchanges,
    timings: ['crm-webhook/lookup', 'own-ai-chat/answer'].map((name) => ({
      name,
      unit: 'ms',
      limit: 2000,
      samples: Array.from({ length: exchangeCount / 2 }, () => 1 + next(40) + next(3) ** 5),
    })),
  };
  return buildReport(run, requirements);
}

type Numbers = (below: number) => number;

/** Integers that are the same in every run (a linear congruential generator). */
function numbers(): Numbers {
  let state = 1;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function sentence(next: Numbers): string {
  return Array.from({ length: 4 + next(12) }, () => words[next(words.length)]).join(' ');
}

function base(index: number): Pick<Exchange, 'id' | 'startedAt' | 'outcome' | 'label'> {
  const startedAt = new Date(startedMs + index * 12).toISOString();
  return { id: `ex-${index + 1}`, startedAt, outcome: 'answered', label: 'a message, generated' };
}

function delivery(index: number, next: Numbers): Exchange {
  const history = Array.from({ length: next(6) }, () => ({ role: 'customer', text: sentence(next) }));
  const event = { id: `evt_${next(2 ** 31)}`, data: { projectId: next(2 ** 31), history, message: sentence(next) } };
  const [body, answer] = [JSON.stringify(event), JSON.stringify({ text: sentence(next), action: null })];
  return {
    ...base(index),
    kind: 'http',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:8080/chat',
      headers: [
        ['content-type', 'application/json'],
        ['x-svc-event-id', event.id],
        ['x-svc-signature', `t=${next(2 ** 31)},v1=[redacted]`],
      ],
      body,
      bodyBytes: body.length,
    },
    response: { status: 200, headers: [['content-type', 'application/json']], body: answer, bodyBytes: answer.length },
    timing: { connectMs: 0.4, firstByteMs: 9 + next(40) / 10, totalMs: 14 + next(40) / 10, limitMs: 10_000 },
  };
}

function call(index: number, next: Numbers): Exchange {
  const frames = Array.from({ length: 12 }, (_, n): CallFrameRecord => {
    const isPrompt = n % 4 === 0;
    const text = JSON.stringify({ type: isPrompt ? 'prompt' : 'text', text: sentence(next), last: n % 4 === 3 });
    return { n, from: isPrompt ? 'service' : 'ai', atMs: n * 20 + next(10), text, bytes: text.length };
  });
  const empty = { headers: [['upgrade', 'websocket']], body: '', bodyBytes: 0 };
  return {
    ...base(index),
    kind: 'call',
    request: { ...empty, method: 'GET', url: 'ws://127.0.0.1:8080/voice' },
    response: { ...empty, status: 101 },
    timing: { connectMs: 0.4, firstByteMs: null, totalMs: 3.1, limitMs: 5000 },
    call: {
      callId: `call-${next(2 ** 31)}`,
      frames,
      framesOmitted: 0,
      end: { by: 'service', atMs: 300, code: 1000, reason: '', clean: true },
    },
  };
}
