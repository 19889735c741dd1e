import { compose, customer, postJson, type CrmSeams } from '../proving/crm.ts';
import { rememberForever } from '../proving/once.ts';
import { crmTypesOfWork } from '../../specs/crm-event-types.ts';
import { checkingOncePerConnection } from './known-connections.ts';
import type { Mutant } from './mutant.ts';

/** Splits `Bearer <token>`; `undefined` for another scheme or no header. */
function given(header: string | undefined): string | undefined {
  return /^Bearer (.+)$/.exec(header ?? '')?.[1];
}

function comparing(bearerAccepted: CrmSeams['bearerAccepted']): Mutant['build'] {
  return () => ({ crm: { bearerAccepted } });
}

/** Remembers the callbackUrl of each refused event; without an address, `wasRefused` is about the event at hand. */
function rememberRefusals(): Pick<CrmSeams, 'early' | 'refusal'> & { wasRefused: (url?: string) => boolean } {
  const refused = new Set<string>();
  let latest = '';
  return {
    early: (_, { callbackUrl }) => {
      latest = callbackUrl;
    },
    refusal: () => {
      refused.add(latest);
      return { status: 401 };
    },
    wasRefused: (url = latest) => refused.has(url),
  };
}

/** Faults in checking the webhook token. */
export const tokenMutants: readonly Mutant[] = [
  {
    name: 'answers-repeated-before-the-token-is-checked',
    breaks: 'crm-webhook/refuses-wrong-token',
    what: 'A cache of answers by callbackUrl comes before the check of the token.',
    build: () => {
      const known = new Set<string>();
      let isKnown = false;
      return {
        crm: {
          early: (_, { callbackUrl }) => {
            isKnown = known.has(callbackUrl);
          },
          bearerAccepted: (header, token) => isKnown || header === `Bearer ${token}`,
          read: ({ callbackUrl }) => {
            known.add(callbackUrl);
            return undefined;
          },
        },
      };
    },
  },
  {
    name: 'noted-before-the-token-is-checked',
    breaks: 'crm-webhook/refused-event-has-no-effect',
    what: 'Each event is noted before its token is checked; a bad token is answered 401 afterwards.',
    build: () => {
      const known = new Set<string>();
      return {
        crm: {
          early: (journal, { callbackUrl }) => {
            if (!known.has(callbackUrl)) journal.add(callbackUrl);
            known.add(callbackUrl);
          },
          effect: () => undefined,
        },
      };
    },
  },
  {
    name: 'called-back-before-the-token-is-checked',
    breaks: 'crm-webhook/refused-event-has-no-effect',
    what: 'The callback is started before the token is checked; a bad token is answered 401 afterwards.',
    build: () => {
      const known = new Set<string>();
      const body = JSON.stringify(compose({ contact: customer }));
      return {
        crm: {
          later: (name) => name === 'FormSubmitted' || name === 'IncomingCallLookup',
          early: (_, { eventType, callbackUrl }) => {
            const isLookup = eventType === 'IncomingCallLookup' || eventType === 0;
            if (isLookup && known.size !== known.add(callbackUrl).size) void postJson({ url: callbackUrl, body });
          },
          callback: (call, _, name) => (name === 'IncomingCallLookup' ? Promise.resolve() : postJson(call)),
        },
      };
    },
  },
  {
    name: 'form-called-back-before-the-token-is-checked',
    breaks: 'crm-webhook/refused-event-has-no-effect',
    what: 'The callback of a form is started before the token is checked; lookups are answered at once.',
    build: () => {
      const known = new Set<string>();
      const body = JSON.stringify(compose({ contact: { crmContactId: '4712' } }));
      return {
        crm: {
          early: (_, { eventType, callbackUrl }) => {
            const isForm = eventType === 'FormSubmitted' || eventType === 5;
            if (isForm && known.size !== known.add(callbackUrl).size) void postJson({ url: callbackUrl, body });
          },
          callback: () => Promise.resolve(),
        },
      };
    },
  },
  {
    name: 'form-noted-before-the-token-is-checked',
    breaks: 'crm-webhook/refused-event-has-no-effect',
    what: 'The handler of forms notes them before the token is checked; other events are noted afterwards.',
    build: () => {
      const known = new Set<string>();
      return {
        crm: {
          early: (journal, { eventType, callbackUrl }) => {
            const isForm = eventType === 'FormSubmitted' || eventType === 5;
            if (isForm && known.size !== known.add(callbackUrl).size) journal.add(callbackUrl);
          },
          effect: (journal, name, { callbackUrl }) => {
            if (name !== 'FormSubmitted' && crmTypesOfWork.some((type) => type === name)) journal.add(callbackUrl);
          },
        },
      };
    },
  },
  {
    name: 'token-checked-once-per-connection',
    breaks: 'crm-webhook/refuses-wrong-token',
    what: 'The token is checked until a request on the connection had the right one.',
    build: () => {
      const { transport, accepts } = checkingOncePerConnection('authorization');
      return {
        transport,
        crm: { bearerAccepted: (header, token) => accepts(header, (value) => given(value) === token) },
      };
    },
  },
  {
    name: 'callback-url-noted-before-the-token-is-checked',
    breaks: 'crm-webhook/refused-event-has-no-effect',
    what: 'A filter notes callbackUrl before the token is checked, so an event after its refusal is answered 204, as a repetition.',
    build: () => {
      const noted = new Set<string>();
      const answered = new Set<string>();
      const once = rememberForever();
      let isRepetition = false;
      return {
        crm: {
          early: (_, { callbackUrl }) => {
            isRepetition = noted.has(callbackUrl) && !answered.has(callbackUrl);
            noted.add(callbackUrl);
          },
          once: (key, work) => {
            if (isRepetition) return Promise.resolve({ status: 204 } as never);
            answered.add(key);
            return once(key, work);
          },
        },
      };
    },
  },
  {
    name: 'refusal-kept-as-the-answer',
    breaks: 'crm-webhook/refused-event-has-no-effect',
    what: 'A refusal is kept as the answer to its callbackUrl, and is given again when the event comes with the valid token.',
    build: () => {
      const { wasRefused, ...seams } = rememberRefusals();
      return {
        crm: {
          ...seams,
          bearerAccepted: (header, token) => header === `Bearer ${token}` && !wasRefused(),
        },
      };
    },
  },
  {
    name: 'no-callback-after-a-refusal',
    breaks: 'crm-webhook/refused-event-has-no-effect',
    what: 'The case number of a call comes with the callback, except where callbackUrl was queued with an event that was refused.',
    build: () => {
      const { wasRefused, ...seams } = rememberRefusals();
      return {
        crm: {
          ...seams,
          later: (name) => name === 'FinishedCall' || name === 'FormSubmitted',
          callback: (call) => (wasRefused(call.url) ? Promise.resolve() : postJson(call)),
        },
      };
    },
  },
  {
    name: 'token-checked-for-lookups-only',
    breaks: 'crm-webhook/refuses-wrong-token',
    what: 'The token is checked where an event is answered with data of a caller, and nowhere else.',
    build: () => {
      let type: unknown;
      return {
        crm: {
          early: (_, { eventType }) => {
            type = eventType;
          },
          bearerAccepted: (header, token) =>
            (type !== 'IncomingCallLookup' && type !== 'NewConversation') || header === `Bearer ${token}`,
        },
      };
    },
  },
  {
    name: 'token-of-another-environment',
    breaks: 'crm-webhook/accepts-the-token',
    what: 'The token of another environment is configured, so the valid one is refused.',
    stopsTheRest: 'Every event is refused because of its token.',
    build: comparing((header, token) => header === `Bearer staging-${token}`),
  },
  {
    name: 'token-checked-only-when-sent',
    breaks: 'crm-webhook/refuses-missing-token',
    what: 'The token is compared only when there is an Authorization header.',
    build: comparing((header, token) => header === undefined || given(header) === token),
  },
  {
    name: 'token-of-nobody-taken',
    breaks: 'crm-webhook/refuses-wrong-token',
    what: 'A token that differs from the valid one in every character is accepted, because the comparison is inverted.',
    build: comparing((header, token) => {
      const text = given(header);
      if (text === undefined || text.length !== token.length) return false;
      return text === token || ![...text.toLowerCase()].some((char, at) => char === token[at]?.toLowerCase());
    }),
  },
  {
    name: 'token-compared-as-far-as-sent',
    breaks: 'crm-webhook/refuses-truncated-token',
    what: 'The token is compared only over the number of characters that were sent.',
    build: comparing((header, token) => given(header) !== undefined && token.startsWith(given(header) ?? '')),
  },
  {
    name: 'token-starts-with',
    breaks: 'crm-webhook/refuses-prefixed-token',
    what: 'The header only has to start with the valid token.',
    build: comparing((header, token) => header?.startsWith(`Bearer ${token}`) === true),
  },
  {
    name: 'token-ends-with',
    breaks: 'crm-webhook/refuses-prefixed-token',
    what: 'The header only has to end with the valid token.',
    build: comparing((header, token) => given(header)?.endsWith(token) === true),
  },
  {
    name: 'token-compared-without-case',
    breaks: 'crm-webhook/refuses-differently-cased-token',
    what: 'The whole header is put into lower case before it is compared.',
    build: comparing((header, token) => header?.toLowerCase() === `bearer ${token}`.toLowerCase()),
  },
  {
    name: 'token-in-any-scheme',
    breaks: 'crm-webhook/refuses-other-scheme',
    what: 'The last word of the header is read as the token, whatever the scheme is.',
    build: comparing((header, token) => header?.split(' ').at(-1) === token),
  },
  {
    name: 'token-by-basic-authentication',
    breaks: 'crm-webhook/refuses-other-scheme',
    what: 'A general authentication layer also accepts the token as the password of Basic.',
    build: comparing((header, token) => {
      const basic = /^Basic (.+)$/.exec(header ?? '')?.[1];
      return (
        header === `Bearer ${token}` ||
        Buffer.from(basic ?? '', 'base64')
          .toString()
          .split(':')[1] === token
      );
    }),
  },
  {
    name: 'token-refused-with-403',
    breaks: 'crm-webhook/refuses-with-401',
    what: 'A wrong token is refused with 403.',
    build: () => ({ crm: { refusal: (header) => ({ status: header === undefined ? 401 : 403 }) } }),
  },
  {
    name: 'token-refused-by-redirect',
    breaks: 'crm-webhook/refuses-with-401',
    what: 'A request without a token is redirected to a sign-in page.',
    build: () => ({
      crm: {
        refusal: (header) =>
          header === undefined ? { status: 302, headers: { location: '/sign-in' } } : { status: 401 },
      },
    }),
  },
  {
    name: 'token-missing-throws',
    breaks: 'crm-webhook/bad-token-is-answered',
    what: 'Reading the token of a request without an Authorization header throws.',
    build: comparing(
      (header, token) => (header as string).slice('Bearer '.length) === token && header === `Bearer ${token}`,
    ),
  },
  {
    name: 'token-wrong-drops-the-connection',
    breaks: 'crm-webhook/bad-token-is-answered',
    what: 'The connection is dropped when the token does not have the length of the valid one.',
    build: () => ({ crm: { refusal: (header) => (given(header)?.length === 31 ? { status: 401 } : 'drop') } }),
  },
];
