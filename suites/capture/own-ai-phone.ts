import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { Capture, CapturedCall } from '../../harness/capture/capture.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallFrame } from '../../harness/wire/observation.ts';
import { type ResolvedConfig, runDefaults } from '../../harness/config/settings.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { limits } from '../../specs/limits.ts';
import { quoted, toBeConnected, toStayUp } from '../matchers/call-matchers.ts';
import { frameAspects } from '../own-ai-phone/frame-aspects.ts';
import { skillsNamedBefore } from '../own-ai-phone/skills-named-before.ts';
import type { CaptureJudged, CaptureRule } from './capture-rules.ts';
import { knowsSkills, offeredBy, skillsIn } from './recorded-skills.ts';
import { signatureFaults } from './signed-deliveries.ts';

/** Signature faults with rules specific to the phone; others are reported with the service's faults. */
const phoneFaults = Object.entries(signatureFaults);

/** Rules about recorded calls (interface: Own-AI phone frames, Authentication). */
export const ownAiPhoneRules: readonly CaptureRule[] = [
  {
    requirement: 'own-ai-phone/accepts-valid-signature',
    title: 'an upgrade with a valid signature is accepted',
    needs: 'The recording has no upgrade whose signature fits, with its answer.',
    judge: ({ calls }) =>
      calls
        .filter(({ credential, answer }) => credential.is === 'authentic' && answer.outcome === 'answered')
        .map((exchange) => ({ exchange, finding: toBeConnected(exchange) })),
  },
  ...phoneFaults.map(([fault, [slug, what]]): CaptureRule => ({
    requirement: `own-ai-phone/${slug}`,
    title: `${what} leads to no call`,
    needs: `The recording does not show ${what}.`,
    judge: ({ calls }) =>
      calls
        .filter(({ credential }) => credential.is === 'invalid' && credential.fault === fault)
        .flatMap((exchange): CaptureJudged[] => {
          const { answer, frames } = exchange;
          const spoken = frames.findIndex((frame) => frame.from === 'ai' && interpretFrame(frame).kind !== 'ignored');
          if (spoken >= 0) {
            const received = 'a connection on which the AI continues the call';
            return [{ exchange, finding: { expected: `${what} to be refused`, received, frame: spoken } }];
          }
          return answer.outcome === 'answered' && showsSilence(exchange) ? [{ exchange }] : [];
        }),
  })),
  {
    requirement: 'own-ai-phone/refuses-with-4xx',
    title: 'a bad signature is refused at the upgrade with a 4xx',
    needs: 'The recording does not show a bad signature.',
    judge: ({ calls }) =>
      calls.flatMap((exchange): CaptureJudged[] => {
        const { credential, answer } = exchange;
        if (credential.is !== 'invalid' || answer.outcome !== 'answered') return [];
        const { status } = answer;
        const expected = 'a 4xx status to an upgrade with a bad signature';
        const isRefused = status >= 400 && status < 500;
        return [{ exchange, finding: isRefused ? undefined : { expected, received: `status ${status}` } }];
      }),
  },
  ...frameAspects.map((facet): CaptureRule => ({
    requirement: facet.requirement,
    title: facet.title,
    needs: 'The recording has no frame of the AI to which this rule applies.',
    judge: (capture, config) =>
      knowsSkills(facet.requirement, config)
        ? held(capture).flatMap((exchange) => {
            const skills = skillsIn(capture, config);
            // Where frames are missing, those of one answer are not known.
            const named = exchange.framesOmitted === 0 ? skillsNamedBefore(exchange.frames, skills) : [];
            return exchange.frames.flatMap((frame, index): CaptureJudged[] => {
              if (frame.from !== 'ai') return [];
              const offered = offeredIn(exchange, index);
              if (offered === undefined && facet.requirement.endsWith('/names-only-offered-skills')) return [];
              const body = { frame, index, offered: offered ?? [], skills, namedBefore: named[index] ?? [] };
              const judgement = facet.judge(body);
              return judgement === 'nothing' ? [] : [{ exchange, finding: judgement === true ? undefined : judgement }];
            });
          })
        : [],
  })),
  {
    requirement: 'own-ai-phone/leaves-the-greeting-to-the-service',
    title: 'the AI does not speak before the first sentence of the caller',
    needs: 'The recording has no call from its beginning to a sentence of the caller.',
    judge: (capture) => held(capture).flatMap(greeting),
  },
  {
    requirement: 'own-ai-phone/answers-a-prompt',
    title: 'sentences of callers are answered',
    needs: 'The recording has no sentence of a caller with what followed for long enough.',
    judge: (capture) => {
      const answered = prompts(capture).filter(({ said }) => said.some(isAnswer));
      if (answered.length > 0) return answered.map(({ exchange }) => ({ exchange }));
      return prompts(capture).flatMap(answeredPrompt);
    },
  },
  {
    requirement: 'own-ai-phone/answers-the-first-prompt',
    title: 'the first sentence of a call is answered',
    needs: 'The recording has no first sentence of a caller with what followed for long enough.',
    judge: (capture) => {
      const all = prompts(capture);
      // An AI that answers nothing at all fails another requirement.
      if (!all.some(({ said }) => said.some(isAnswer))) return [];
      const isFirst = ({ exchange, at }: RecordedPrompt) =>
        exchange.frames.findIndex((frame) => typeOf(frame) === 'prompt') === at;
      return all.filter(isFirst).flatMap(answeredPrompt);
    },
  },
  {
    requirement: 'own-ai-phone/first-piece-within-timeout',
    title: 'the first piece of an answer comes within timeoutSeconds',
    needs: 'The recording has no answer to a sentence, or does not say when its frames came.',
    judge: (capture, config) => prompts(capture).flatMap((prompt) => firstPiece(prompt, capture, config)),
  },
  {
    requirement: 'own-ai-phone/closes-each-answer',
    title: 'an answer is closed by a piece with last true',
    needs: 'The recording has no answer by speech with what followed for long enough.',
    judge: (capture) => prompts(capture).flatMap(closed),
  },
  {
    requirement: 'own-ai-phone/keeps-the-call-open',
    title: 'a call stays up until an action of the AI or session.ended',
    needs: 'The recording has no call that shows which side ended it.',
    judge: (capture) =>
      held(capture)
        .filter(({ end, framesOmitted }) => end !== undefined && framesOmitted === 0)
        .map((exchange) => ({ exchange, finding: toStayUp(exchange) })),
  },
];

/** Calls of the service that were connected. */
function held({ calls }: Capture): CapturedCall[] {
  return calls.filter(({ credential, answer }) => credential.is !== 'invalid' && isConnected(answer));
}

/** Whether the silence of the AI is certain: there was no call, or its frames were recorded. */
function showsSilence({ answer, frames, framesOmitted, end }: CapturedCall): boolean {
  return !isConnected(answer) || (framesOmitted === 0 && (frames.length > 0 || end !== undefined));
}

/** Skills that the latest session.started before a frame offers; `undefined` where the recording has none. */
function offeredIn({ frames }: CapturedCall, index: number) {
  const started = frames.slice(0, index).findLast((frame) => typeOf(frame) === 'session.started');
  // A shortened frame proves nothing.
  return isJsonObject(started?.value) && Array.isArray(started.value.skills) ? offeredBy(started.value) : undefined;
}

function typeOf({ from, value }: CallFrame): unknown {
  return from === 'service' && isJsonObject(value) ? value.type : undefined;
}

function greeting(exchange: CapturedCall): CaptureJudged[] {
  const { frames } = exchange;
  const [first] = frames;
  const prompt = frames.findIndex((frame) => typeOf(frame) === 'prompt');
  if (!first || typeOf(first) !== 'session.started' || prompt < 0 || exchange.framesOmitted > 0) return [];
  // In a resumed call the AI may speak at once; a shortened frame proves nothing.
  if (!isJsonObject(first.value) || !('protocol' in first.value) || first.value.resumed !== undefined) return [];
  if (frames.slice(1, prompt).some(({ from }) => from === 'service')) return [];
  const spoken = frames.findIndex((frame, at) => at < prompt && speech(frame) !== '');
  const frame = frames[spoken];
  const expected = 'silence until the first prompt, since the service greets';
  return [{ exchange, finding: frame && { expected, received: quoted(speech(frame)), frame: spoken } }];
}

function speech(frame: CallFrame): string {
  const meaning = frame.from === 'ai' ? interpretFrame(frame) : undefined;
  return meaning?.kind === 'speech' ? meaning.text : '';
}

/** One sentence of a caller and the frames of the AI until the service sent the next one. */
interface RecordedPrompt {
  exchange: CapturedCall;
  at: number;
  frame: CallFrame;
  said: readonly CallFrame[];
  /** Milliseconds in which the AI could certainly answer. */
  listenedMs: number;
}

function prompts(capture: Capture): RecordedPrompt[] {
  return held(capture)
    .filter(({ framesOmitted }) => framesOmitted === 0)
    .flatMap((exchange) =>
      exchange.frames.flatMap((frame, at): RecordedPrompt[] => {
        if (typeOf(frame) !== 'prompt') return [];
        const rest = exchange.frames.slice(at + 1);
        const next = rest.findIndex(({ from }) => from === 'service');
        const until = next < 0 ? exchange.end?.atMs : rest[next]?.atMs;
        const said = rest.slice(0, next < 0 ? rest.length : next).filter(({ from }) => from === 'ai');
        return [{ exchange, at, frame, said, listenedMs: (until ?? said.at(-1)?.atMs ?? frame.atMs) - frame.atMs }];
      }),
    );
}

function isAnswer(frame: CallFrame): boolean {
  const { kind } = interpretFrame(frame);
  return kind === 'action' || kind === 'skill' || speech(frame) !== '';
}

function answeredPrompt({ exchange, at, frame, said, listenedMs }: RecordedPrompt): CaptureJudged[] {
  if (said.some(isAnswer)) return [{ exchange }];
  // An answer that is closed without a word is one.
  if (said.length > 0 || listenedMs < runDefaults.answerTimeoutMs) return [];
  const expected = `speech, an action or a skill in answer to ${sentence(frame)}`;
  return [{ exchange, finding: { expected, received: `nothing within ${Math.round(listenedMs)} ms`, frame: at } }];
}

function firstPiece(
  { exchange, frame, said }: RecordedPrompt,
  { kind }: Capture,
  { phone }: ResolvedConfig,
): CaptureJudged[] {
  const first = said.find(isAnswer);
  // The log of the simulated service counts in seconds, and a recorder that knows no times has zeros.
  if (!first || kind === 'log' || exchange.frames.every(({ atMs }) => atMs === 0)) return [];
  const limit = 1000 * (phone?.timeoutGiven ? phone.timeoutSeconds : limits.ownAiTimeoutSecondsMax);
  const ms = first.atMs - frame.atMs;
  if (!phone?.timeoutGiven && ms > 1000 * limits.ownAiTimeoutSecondsMin && ms <= limit) return [];
  const expected = `a first piece within ${limit} ms of ${sentence(frame)}`;
  const received = `one after ${Math.round(ms)} ms, as the recorder measured it`;
  return [
    {
      exchange,
      sample: { name: 'own-ai-phone/first-piece', limit, ms },
      finding: ms <= limit ? undefined : { expected, received, frame: exchange.frames.indexOf(first) },
    },
  ];
}

function closed({ exchange, frame, said, listenedMs }: RecordedPrompt): CaptureJudged[] {
  const pieces = said.filter((one) => speech(one) !== '');
  const last = pieces.at(-1);
  if (!last) return [];
  const isClosed = said.some((one) => {
    const meaning = interpretFrame(one);
    return meaning.kind === 'action' || meaning.kind === 'skill' || (meaning.kind === 'speech' && meaning.last);
  });
  if (isClosed) return [{ exchange }];
  // A caller who interrupts an answer ends it; only later silence shows that no more was to follow.
  if (listenedMs - (last.atMs - frame.atMs) < runDefaults.answerTimeoutMs) return [];
  const expected = `a piece with last: true to close the answer to ${sentence(frame)}`;
  const received = `${pieces.length} pieces, none with last: true, then nothing more`;
  return [{ exchange, finding: { expected, received, frame: exchange.frames.indexOf(last) } }];
}

function sentence({ value }: CallFrame): string {
  return isJsonObject(value) && typeof value.text === 'string' ? quoted(value.text) : 'a sentence';
}
