import type { IncomingMessage } from 'node:http';
import { setUp } from '../proving/endpoint.ts';
import { single } from '../proving/hooks.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import { correctPhone, type PhoneSeams } from '../proving/phone.ts';
import { sign, verify } from '../proving/signature.ts';
import { pause } from '../proving/wire.ts';
import type { Mutant } from './mutant.ts';
import { callClosed } from './phone-faults.ts';
import { signatureMutants } from './signature-mutants.ts';

/** Milliseconds beyond the 5 s for the set-up. */
const setUpTooLongMs = 5_800;

function isSigned({ headers }: IncomingMessage): boolean {
  const callId = single(headers['x-svc-call-id']);
  return (
    callId !== undefined && verify(single(headers['x-svc-signature']), Buffer.from(callId, 'utf8'), setUp.agentSecret)
  );
}

/** Correct, but also accepts a signature over another string. */
function alsoAccepting(other: (request: IncomingMessage) => readonly string[]): Mutant['build'] {
  return () => ({
    phone: {
      isVerified: (request) =>
        !other(request).some((text) =>
          verify(single(request.headers['x-svc-signature']), Buffer.from(text, 'utf8'), setUp.agentSecret),
        ),
    },
  });
}

/** Correct, but also accepts a signature with another secret. */
function takingSecret(other: (secret: string) => string | Buffer): Mutant['build'] {
  return () => ({
    phone: {
      verify: (header, callId, secret) => {
        const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
        return verify(header, callId, secret) || (t !== undefined && v1 === sign(other(secret), t, callId));
      },
    },
  });
}

/** Accepts every upgrade and verifies the signature only afterwards. */
function verifyingAfterwards(refuse: Required<PhoneSeams>['connected']): Mutant['build'] {
  return () => ({
    phone: {
      isVerified: () => false,
      connected: (call) => {
        if (!isSigned(call.request)) refuse(call);
      },
      hear: (frame, call) => {
        if (isSigned(call.request)) correctPhone().hear(frame, call);
      },
    },
  });
}

const own: readonly Mutant[] = [
  {
    name: 'phone-set-up-of-six-seconds',
    breaks: 'own-ai-phone/connects-within-5-seconds',
    what: 'After a call without a sentence, the AI is suspended, and resuming it takes longer than 5 s.',
    build: () => {
      let open = 0;
      let isAsleep = false;
      return {
        phone: {
          async admit() {
            if (isAsleep && open === 0) await pause(setUpTooLongMs);
            return undefined;
          },
          connected: () => void open++,
          closed({ prompts }) {
            open--;
            isAsleep = prompts === 0;
          },
        },
      };
    },
  },
  {
    name: 'phone-upgrade-answered-200',
    breaks: 'own-ai-phone/accepts-valid-signature',
    what: 'The address answers the upgrade like any other request, so no WebSocket is established.',
    stopsTheRest: 'No call is established.',
    build: () => ({ phone: { admit: () => ({ status: 200, body: 'voice' }) } }),
  },
  {
    name: 'phone-known-call-not-verified',
    breaks: 'own-ai-phone/refuses-other-secret',
    what: 'A connection with the id of a call that took place before is accepted without verifying its signature.',
    mayAlso: [{ id: 'own-ai-phone/refuses-other-call-id', why: 'the other id may be that of an earlier call' }],
    build: () => {
      const known = new Set<string>();
      return {
        phone: {
          verify: (header, id, secret) => {
            const isValid = verify(header, id, secret);
            if (isValid) known.add(id.toString());
            return isValid || known.has(id.toString());
          },
        },
      };
    },
  },
  {
    name: 'phone-secret-decoded',
    breaks: 'own-ai-phone/refuses-decoded-secret',
    what: 'Signatures with the base64-decoded secret are also accepted.',
    build: takingSecret((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64')),
  },
  {
    name: 'phone-secret-stripped',
    breaks: 'own-ai-phone/refuses-stripped-secret',
    what: 'Signatures with the secret without whsec_ are also accepted.',
    build: takingSecret((secret) => secret.slice('whsec_'.length)),
  },
  {
    name: 'phone-verified-headers-kept',
    breaks: 'own-ai-phone/refuses-other-call-id',
    what: 'A valid signature is remembered, so it is also accepted for another call.',
    build: () => {
      const right = new Set<string>();
      return {
        phone: {
          verify: (header, callId, secret) => {
            if (header !== undefined && verify(header, callId, secret)) right.add(header);
            return header !== undefined && right.has(header);
          },
        },
      };
    },
  },
  {
    name: 'phone-signature-over-the-body',
    breaks: 'own-ai-phone/refuses-signature-over-body',
    what: 'The webhook middleware runs first: a signature over the body, which is empty, is also accepted.',
    mayAlso: [
      {
        id: 'own-ai-phone/refuses-call-without-id',
        why: 'a signature over nothing equals one over an empty body, with or without a call id',
      },
    ],
    build: alsoAccepting(() => ['']),
  },
  {
    name: 'phone-signature-over-the-path',
    breaks: 'own-ai-phone/refuses-signature-over-path',
    what: 'A signature over the path, with or without the query, is also accepted.',
    build: alsoAccepting(({ url = '' }) => [url, url.split('?')[0] ?? '']),
  },
  {
    name: 'phone-call-id-missing-is-empty',
    breaks: 'own-ai-phone/refuses-call-without-id',
    what: 'A missing call id is read as an empty string, over which the signature is verified.',
    build: () => ({ phone: { callIdOf: ({ headers }) => single(headers['x-svc-call-id']) ?? '' } }),
  },
  {
    name: 'phone-call-id-missing-is-undefined',
    breaks: 'own-ai-phone/refuses-call-without-id',
    what: 'A missing call id becomes the word undefined in the signed string.',
    build: () => ({ phone: { callIdOf: ({ headers }) => String(headers['x-svc-call-id']) } }),
  },
  {
    name: 'phone-call-id-missing-is-not-verified',
    breaks: 'own-ai-phone/refuses-missing-call-id',
    what: 'Without a call id, nothing is verified, and the connection is accepted.',
    mayAlso: [{ id: 'own-ai-phone/refuses-call-without-id', why: 'whatever the signature was made over is accepted' }],
    build: () => ({ phone: { isVerified: ({ headers }) => headers['x-svc-call-id'] !== undefined } }),
  },
  {
    name: 'phone-unsigned-call-left-open',
    breaks: 'own-ai-phone/refuses-missing-signature',
    what: 'A connection without a signature is accepted and kept open, but no frame is ever sent on it.',
    build: () => ({
      phone: {
        isVerified: ({ headers }) => headers['x-svc-signature'] !== undefined,
        hear: (frame, call) => {
          if (call.request.headers['x-svc-signature'] !== undefined) correctPhone().hear(frame, call);
        },
      },
    }),
  },
  {
    name: 'phone-accepted-then-closed',
    breaks: 'own-ai-phone/refuses-with-4xx',
    what: 'Every connection is accepted, and a bad signature closes it at once.',
    build: verifyingAfterwards(({ socket }) => socket.close(1008, 'bad signature')),
  },
  {
    name: 'phone-accepted-then-dropped',
    breaks: 'own-ai-phone/refuses-with-4xx',
    what: 'Every connection is accepted, and a bad signature drops it a moment later without a close frame.',
    build: verifyingAfterwards(({ socket }) => setTimeout(() => socket.terminate(), 100)),
  },
  {
    name: 'phone-refusal-never-written',
    breaks: 'own-ai-phone/refuses-with-4xx',
    what: 'An upgrade without a signature is never answered.',
    build: () => ({ phone: { refusal: (header) => (header === undefined ? 'silence' : { status: 401 }) } }),
  },
  {
    name: 'phone-refusal-drops-the-connection',
    breaks: 'own-ai-phone/refuses-with-4xx',
    what: 'The socket is destroyed without a response when the signature is bad.',
    build: () => ({ phone: { refusal: () => 'drop' } }),
  },
  {
    name: 'phone-unequal-lengths-throw',
    breaks: 'own-ai-phone/refuses-with-4xx',
    what: 'Comparing v1 of another length than expected throws, and the upgrade is answered 500.',
    build: () => ({
      phone: { refusal: (header) => ({ status: /v1=[^,]{64}$/.test(header ?? '') ? 401 : 500 }) },
    }),
  },
  {
    name: 'phone-call-stored-before-verifying',
    breaks: 'own-ai-phone/refused-call-has-no-effect',
    what: 'A record of the call is created from its id, and the signature is verified afterwards; the 401 is correct.',
    build: () => ({ phone: { arrived: (journal, callId) => journal.add(`call ${callId}`) } }),
  },
  {
    name: 'phone-call-id-used-up-by-a-refused-upgrade',
    breaks: 'own-ai-phone/refused-call-has-no-effect',
    what: 'Call ids are remembered before the signature is verified, and accepted once.',
    build: () => {
      const known = new Set<string>();
      return {
        phone: {
          verify: (header, callId, secret) => {
            const id = callId.toString();
            const isNew = !known.has(id);
            known.add(id);
            return isNew && verify(header, callId, secret);
          },
        },
      };
    },
  },
  {
    name: 'phone-refused-upgrade-replaces-the-call',
    breaks: 'own-ai-phone/refused-call-has-no-effect',
    what: 'A second connection of a call drops the first one, before the signature is verified.',
    mayAlso: [callClosed],
    build: () => {
      const running = new Map<string, PhoneCall>();
      return {
        phone: {
          isVerified({ headers }) {
            running.get(single(headers['x-svc-call-id']) ?? '')?.socket.close(1000);
            return true;
          },
          connected: (call) => void running.set(call.callId, call),
          closed: (call) => void (running.get(call.callId) === call && running.delete(call.callId)),
        },
      };
    },
  },
  {
    name: 'phone-refusal-redirects',
    breaks: 'own-ai-phone/refuses-with-4xx',
    what: 'A bad signature is redirected to the sign-in page.',
    build: () => ({ phone: { refusal: () => ({ status: 302, headers: { location: '/login' } }) } }),
  },
];

/** Faults in accepting and refusing upgrades of calls. */
export const phoneUpgradeMutants: readonly Mutant[] = [
  ...signatureMutants('own-ai-phone', 'phone', ({ verify: faulty }) => ({
    phone: faulty === undefined ? {} : { verify: faulty },
  })),
  ...own,
];
