import { phone } from '../proving/phone-behaviour.ts';
import { speak } from '../proving/phone.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import type { Mutant } from './mutant.ts';
import { reasons } from './own-ai-phone-skill-results.ts';
import {
  callClosed,
  closesAt,
  deafAt,
  hasOtherFields,
  sentence,
  skillResult,
  started,
  wordless,
} from './phone-faults.ts';

const anyCall = { id: 'own-ai-phone/accepts-any-call', why: 'generated calls are of that kind too' } as const;
const extremeCall = { id: 'own-ai-phone/accepts-extreme-call-values', why: 'such calls are of that kind too' } as const;

const sessionFields = [
  ...['type', 'protocol', 'callId', 'callSid', 'projectId', 'workspaceId', 'agentId', 'from', 'to', 'language'],
  ...['contact', 'skills', 'resumed', 'resumedAfter'],
];
const revision = '2026-10-11';

/** Faults in handling session.started. */
export const phoneSessionMutants: readonly Mutant[] = [
  {
    name: 'phone-no-german',
    breaks: 'own-ai-phone/answers-in-each-language',
    what: 'There is no voice for de-DE, so such a call is closed.',
    mayAlso: [callClosed, anyCall, extremeCall],
    build: closesAt(started(({ language }) => language === 'de-DE')),
  },
  {
    name: 'phone-german-unanswered',
    breaks: 'own-ai-phone/answers-in-each-language',
    what: 'No sentence of a call in de-DE is answered.',
    mayAlso: [anyCall, extremeCall],
    build: deafAt(started(({ language }) => language === 'de-DE')),
  },
  {
    name: 'phone-german-without-a-word',
    breaks: 'own-ai-phone/answers-in-each-language',
    what: 'The answers of a call in de-DE are only an empty closing piece.',
    mayAlso: [anyCall, extremeCall],
    build: wordless((_, { started }) => started?.language === 'de-DE'),
  },
  {
    name: 'phone-first-skill-read',
    breaks: 'own-ai-phone/accepts-call-without-skills',
    what: 'The first skill of the list is read, although there may be none.',
    mayAlso: [callClosed, anyCall, extremeCall],
    build: closesAt(started(({ skills }) => skills.length === 0)),
  },
  {
    name: 'phone-empty-tools-refused',
    breaks: 'own-ai-phone/accepts-call-without-skills',
    what: 'The model refuses an empty list of tools, so nothing is answered in a call without skills.',
    mayAlso: [anyCall, extremeCall],
    build: deafAt(started(({ skills }) => skills.length === 0)),
  },
  {
    name: 'phone-names-in-latin-1',
    breaks: 'own-ai-phone/accepts-any-call',
    what: 'A name with a character outside Latin-1 cannot be stored, and the call is closed.',
    mayAlso: [callClosed, extremeCall],
    build: closesAt(started(({ contact }) => [...(contact.name ?? '')].some((one) => one > '\u00ff'))),
  },
  {
    name: 'phone-quote-in-a-name',
    breaks: 'own-ai-phone/accepts-any-call',
    what: 'The name is pasted into JSON for the model, and a quotation mark in it leaves the caller unanswered.',
    mayAlso: [extremeCall],
    build: deafAt(started(({ contact }) => /["\\]/.test(contact.name ?? ''))),
  },
  {
    name: 'phone-name-of-over-a-hundred',
    breaks: 'own-ai-phone/accepts-extreme-call-values',
    what: 'A name of more than a hundred characters does not fit its column, and the call is closed.',
    mayAlso: [callClosed],
    build: closesAt(started(({ contact }) => [...(contact.name ?? '')].length > 100)),
  },
  {
    name: 'phone-ids-of-32-bits',
    breaks: 'own-ai-phone/accepts-extreme-call-values',
    what: 'Contact ids beyond 32 bits are not handled, and the call is closed.',
    mayAlso: [callClosed],
    build: closesAt(started(({ contact }) => contact.id > 2_147_483_647)),
  },
  {
    name: 'phone-revision-header-compared',
    breaks: 'own-ai-phone/accepts-later-protocol-revision',
    what: 'The upgrade is refused when X-Svc-Agent-Protocol names another revision.',
    build: phone(() => ({
      admit: ({ headers }) => (headers['x-svc-agent-protocol'] === revision ? undefined : { status: 426 }),
    })),
  },
  {
    name: 'phone-revision-compared',
    breaks: 'own-ai-phone/accepts-later-protocol-revision',
    what: 'A session of another revision is closed.',
    mayAlso: [callClosed],
    build: closesAt(started(({ protocol }) => protocol !== revision)),
  },
  {
    name: 'phone-strict-session',
    breaks: 'own-ai-phone/ignores-unknown-members',
    what: 'A session.started with a field that the schema lacks closes the call.',
    mayAlso: [callClosed],
    build: closesAt(started((session) => hasOtherFields(session, sessionFields))),
  },
  {
    name: 'phone-strict-contact',
    breaks: 'own-ai-phone/ignores-unknown-members',
    what: 'A contact with a field that the class lacks leaves the call unanswered.',
    build: deafAt(started(({ contact }) => hasOtherFields(contact, ['id', 'name']))),
  },
  {
    name: 'phone-strict-prompt',
    breaks: 'own-ai-phone/ignores-unknown-members',
    what: 'A prompt with a field that the schema lacks closes the call.',
    mayAlso: [callClosed],
    build: closesAt((frame) => frame.type === 'prompt' && hasOtherFields(frame, ['type', 'text'])),
  },
  {
    name: 'phone-language-enumerated',
    breaks: 'own-ai-phone/ignores-unknown-values',
    what: 'A language that is not in the enumeration closes the call.',
    mayAlso: [callClosed],
    build: closesAt(started(({ language }) => language !== 'de-DE' && language !== 'en-US')),
  },
  {
    name: 'phone-skill-kinds-enumerated',
    breaks: 'own-ai-phone/ignores-unknown-values',
    what: 'A skill of a kind that is not in the enumeration leaves the call unanswered.',
    build: deafAt(started(({ skills }) => skills.some(({ kind }) => kind !== 'forward' && kind !== 'alert'))),
  },
  {
    name: 'phone-resumed-enumerated',
    breaks: 'own-ai-phone/ignores-unknown-values',
    what: 'A value of resumed that is not in the enumeration closes the call.',
    mayAlso: [callClosed],
    build: closesAt(started(({ resumed }) => resumed !== undefined && resumed !== 'handover_failed')),
  },
  {
    name: 'phone-reasons-enumerated',
    breaks: 'own-ai-phone/ignores-unknown-values',
    what: 'A reason that is not in the enumeration closes the call.',
    mayAlso: [callClosed],
    build: closesAt(skillResult(({ reason }) => reason !== undefined && !reasons.includes(reason))),
  },
  {
    name: 'phone-digits-enumerated',
    breaks: 'own-ai-phone/ignores-unknown-values',
    what: 'A key that not every telephone has closes the call.',
    mayAlso: [callClosed],
    build: closesAt(({ type, digit }) => type === 'dtmf' && !/^[0-9*#]$/.test(String(digit))),
  },
  {
    name: 'phone-resumed-call-closed',
    breaks: 'own-ai-phone/goes-on-after-failed-takeover',
    what: 'A resumed call is closed, because the list of calls marks it as over.',
    mayAlso: [callClosed, anyCall, extremeCall],
    build: closesAt(started(({ resumed }) => resumed === 'handover_failed')),
  },
  {
    name: 'phone-resumed-call-unanswered',
    breaks: 'own-ai-phone/goes-on-after-failed-takeover',
    what: 'A resumed call is left to the team, so none of its sentences is answered.',
    mayAlso: [anyCall, extremeCall],
    build: deafAt(started(({ resumed }) => resumed === 'handover_failed')),
  },
  {
    name: 'phone-resumed-call-only-greeted',
    breaks: 'own-ai-phone/goes-on-after-failed-takeover',
    what: 'A resumed call begins with a sentence of the AI, a moment late, and then none of the caller is answered.',
    mayAlso: [anyCall, extremeCall],
    build: phone((right) => {
      const muted = new WeakSet<PhoneCall>();
      return {
        started(frame, call) {
          if (frame.resumed !== 'handover_failed') return right.started(frame, call);
          muted.add(call);
          call.play(speak('Everyone was busy.', { firstAfterMs: 400 }));
        },
        prompt(text, call) {
          if (!muted.has(call)) right.prompt(text, call);
        },
      };
    }),
  },
  {
    name: 'phone-resumed-call-stays-ended',
    breaks: 'own-ai-phone/goes-on-after-failed-takeover',
    what: 'A call that comes back continues the state of the call before it, which is marked as ended.',
    mayAlso: [anyCall, extremeCall],
    build: phone((right) => {
      const ended = new Set<string>();
      const isEnded = ({ started }: PhoneCall) => started !== undefined && ended.has(started.callSid);
      return {
        ended(call) {
          if (call.started) ended.add(call.started.callSid);
          right.ended(call);
        },
        started(frame, call) {
          if (frame.resumed === undefined) ended.delete(frame.callSid);
          if (!isEnded(call)) right.started(frame, call);
        },
        prompt: (text, call) => isEnded(call) || right.prompt(text, call),
      };
    }),
  },
  {
    name: 'phone-resumed-after-not-expected',
    breaks: 'own-ai-phone/goes-on-after-failed-takeover',
    what: 'The key of resumedAfter is looked up in the running tools, which lack it, and the call hangs.',
    mayAlso: [
      anyCall,
      extremeCall,
      {
        id: 'own-ai-phone/ignores-unknown-values',
        why: 'a call with another reason for resuming has resumedAfter too',
      },
    ],
    build: deafAt(started(({ resumedAfter }) => resumedAfter !== undefined)),
  },
  {
    name: 'phone-session-keeps-its-first-connection',
    breaks: 'own-ai-phone/goes-on-after-takeover-with-the-same-id',
    what: 'The session is stored by the call id with its first connection, on which all of its answers are sent.',
    build: phone((right) => {
      const sessions = new Map<string, PhoneCall>();
      return {
        hear(frame, call) {
          const session = sessions.get(call.callId) ?? call;
          sessions.set(call.callId, session);
          right.hear(frame, session);
        },
      };
    }),
  },
  {
    name: 'phone-known-call-id-refused',
    breaks: 'own-ai-phone/goes-on-after-takeover-with-the-same-id',
    what: 'The upgrade of a call id that is known is refused, because the list of calls has a unique key.',
    build: () => {
      const known = new Set<string>();
      return {
        phone: {
          admit: ({ headers }) => {
            const id = String(headers['x-svc-call-id']);
            return known.size === known.add(id).size ? { status: 500 } : undefined;
          },
        },
      };
    },
  },
  {
    name: 'phone-greets',
    breaks: 'own-ai-phone/leaves-the-greeting-to-the-service',
    what: 'The AI greets the caller at session.started, so the caller is greeted twice.',
    build: phone((right) => ({
      started(frame, call) {
        if (frame.resumed === undefined) call.play(speak('Good day, what can I do for you?'));
        else right.started(frame, call);
      },
    })),
  },
  {
    name: 'phone-greets-when-nobody-speaks',
    breaks: 'own-ai-phone/leaves-the-greeting-to-the-service',
    what: 'The AI greets the caller 150 ms after the connection if no sentence has arrived by then.',
    build: phone((right) => {
      const waiting = new WeakMap<PhoneCall, NodeJS.Timeout>();
      return {
        connected: (call) =>
          void waiting.set(
            call,
            setTimeout(() => call.play(speak('Hello?')), 150),
          ),
        hear(frame, call) {
          if (frame.type === 'prompt' || frame.type === 'session.ended') clearTimeout(waiting.get(call));
          right.hear(frame, call);
        },
        closed: (call) => clearTimeout(waiting.get(call)),
      };
    }),
  },
  {
    name: 'phone-strict-frames',
    breaks: 'own-ai-phone/ignores-unknown-frames',
    what: 'A frame of a type that the AI does not know closes the call.',
    mayAlso: [callClosed],
    build: phone(() => ({
      other: ({ type }) => {
        throw new TypeError(type);
      },
    })),
  },
  {
    name: 'phone-unknown-frame-stops-the-answer',
    breaks: 'own-ai-phone/ignores-unknown-frames',
    what: 'A frame of a type that the AI does not know cancels the answer that is prepared or spoken.',
    build: phone(() => ({ other: (_, call) => void call.silence() })),
  },
  {
    name: 'phone-unknown-frame-ends-the-loop',
    breaks: 'own-ai-phone/ignores-unknown-frames',
    what: 'A frame of a type that the AI does not know ends the loop that reads frames.',
    build: phone((right) => {
      const deaf = new WeakSet<PhoneCall>();
      return {
        other: (_, call) => void deaf.add(call),
        prompt: (text, call) => deaf.has(call) || right.prompt(text, call),
      };
    }),
  },
  ...(
    [
      ['a-quotation-mark', 'a quotation mark', /"/],
      ['an-astral-character', 'a character of two UTF-16 units', /[\u{10000}-\u{10ffff}]/u],
      ['white-space', 'only white space', /^\s*$/],
      ['over-50-characters', 'more than fifty characters', /^[^]{51,}$/],
      ['a-line-break', 'a line break', /\n/],
    ] as const
  ).map(([slug, words, pattern], at): Mutant => {
    const isMeant = sentence((text) => pattern.test(text));
    return {
      name: `phone-sentence-with-${slug}`,
      breaks: 'own-ai-phone/survives-any-sentence',
      what:
        at % 2 === 0
          ? `A sentence with ${words} closes the call.`
          : `After a sentence with ${words}, the AI no longer answers.`,
      mayAlso: at % 2 === 0 ? [callClosed] : [],
      build: at % 2 === 0 ? closesAt(isMeant) : deafAt(isMeant),
    };
  }),
];
