import type { PauseRequest } from '../generated/types.ts';
import type { FaultRow } from './fault-row.ts';
import type { StrayTunnel } from './stray-tunnel.ts';

/** Faults of the endpoint or client under test that prevent a judgement. */
export const endpointFaults = {
  'target-unreachable': {
    exitCode: 3,
    meaning: 'No connection to the endpoint could be made.',
    remediation: 'Check that the endpoint is running, and that its address, port and firewall are correct.',
    message: {
      never: ({ origin, detail }: { origin: string; detail: string }) =>
        `No connection to ${origin}: ${detail}. Check that the endpoint is running and that this is its address.`,
      lost: ({ origin, count, detail }: { origin: string; count: number; detail: string }) =>
        `${origin} accepted connections before, but ${count} connection attempts in a row failed: ${detail}.`,
      'via-proxy': ({ url }: { url: string }) =>
        `The connection to ${new URL(url).origin} closed, and then the proxy could not connect to it. The endpoint or the proxy may be the reason.`,
      'no-further': ({ url }: { url: string }) => `No further connection to ${url} could be established.`,
    },
  },
  'target-stopped': {
    exitCode: 3,
    meaning: 'The endpoint stopped in this run and did not listen again.',
    remediation: 'Read the log of the endpoint for the error that ended its process, then run again.',
    message: {
      'in-flight': ({ url, suspects }: { url: string; suspects: readonly string[] }) => {
        const [first = '', ...others] = suspects;
        const afterwards = `closed without an answer, and then nothing listened at ${new URL(url).origin}`;
        if (others.length === 0)
          return `The endpoint stopped while handling ${first}: the connection was ${afterwards}.`;
        return `The endpoint stopped while these deliveries were in flight (in order of sending): ${suspects.join('; ')}. Their connections were ${afterwards}.`;
      },
      refusing: ({ url, detail, last }: { url: string; detail: string; last: string }) =>
        `The endpoint at ${new URL(url).origin} stopped accepting connections (${detail}). It stopped after: ${last}.`,
      gone: ({ url, last }: { url: string; last: string }) =>
        `Nothing listens at ${new URL(url).origin} any more. It stopped after: ${last}.`,
      known: ({ reason }: { reason: string }) => reason,
      'not-tried': ({ reason }: { reason: string }) => `Not tried: ${reason}`,
    },
  },
  'client-certificate-required': {
    exitCode: 3,
    meaning: 'The server of the endpoint requires a client certificate, or rejects the configured one.',
    remediation:
      'Give a certificate that the server accepts in tls.cert and tls.key, or accept connections without one.',
    message: {
      any: ({ host }: { host: string }) =>
        `${host} requires a client certificate. The service presents none; accept connections without one at the addresses that it calls, or set tls.cert and tls.key to reach a test environment.`,
      closed: ({ host }: { host: string }) =>
        `${host} closed the connection without an answer, and has answered nothing so far: it may reject the client certificate of tls.cert. Check that the server trusts its issuer and that it has not expired.`,
      another: ({ host }: { host: string }) =>
        `${host} rejected the client certificate of tls.cert. Check that the server trusts its issuer and that it has not expired.`,
    },
  },
  'target-silent': {
    exitCode: 3,
    meaning: 'The endpoint left many deliveries in a row without an answer.',
    remediation: 'Find out where the endpoint hangs; --answer-timeout waits longer for each answer.',
    message: {
      all: ({
        url,
        count,
        what,
        answerTimeoutMs,
      }: {
        url: string;
        count: number;
        what: string;
        answerTimeoutMs: number;
      }) =>
        `Not tried: ${url} left ${count} ${what} in a row without a complete answer, each for ${answerTimeoutMs / 1000} s. Use --answer-timeout to wait longer.`,
      kind: ({ url, count, received }: { url: string; count: number; received: string }) =>
        `Not sent: ${url} left ${count} deliveries of this kind without a complete answer; the latest got ${received}. The interface gives no limit here; --answer-timeout waits longer.`,
    },
  },
  'target-throttles': {
    exitCode: 3,
    meaning: 'The endpoint keeps requesting a pause (429 or 503), or requests one that is too long.',
    remediation: 'Raise the request limit for the test address, or exempt it for this run.',
    message: {
      'long-pause': ({
        url,
        pause: { status, seconds },
        leftSeconds,
        hasWaited,
      }: {
        url: string;
        pause: PauseRequest;
        leftSeconds: number;
        hasWaited: boolean;
      }) =>
        `${url} answered ${status} and asked for a pause of ${seconds} s (Retry-After); this run waits at most ${leftSeconds} s${hasWaited ? ' more' : ''}. Raise the request limit for the test address, or exempt it for this run.`,
      'after-pauses': ({
        url,
        pause: { status },
        pauses,
        waitedSeconds,
      }: {
        url: string;
        pause: PauseRequest;
        pauses: number;
        waitedSeconds: number;
      }) =>
        `${url} still answered ${status} after ${pauses} pauses, ${waitedSeconds} s in total. Raise the request limit for the test address, or exempt it for this run.`,
      'not-tried': ({ reason }: { reason: string; pause: PauseRequest | undefined }) => `Not tried: ${reason}`,
      upgrades: ({ url, count }: { url: string; count: number; pause: PauseRequest | undefined }) =>
        `${url} answered ${count} upgrades in a row with 429 or 503. Let the endpoint accept more calls for this run.`,
    },
  },
  'no-answer-yet': {
    exitCode: 3,
    meaning: 'No answer arrived within the timeout of svc-conform, and the interface gives no limit.',
    remediation: 'Use --answer-timeout to wait longer.',
    message: ({ url, received }: { url: string; received: string }) =>
      `${url} gave ${received}. The interface gives no limit here; --answer-timeout waits longer.`,
  },
  'observe-failed': {
    exitCode: 3,
    meaning: 'The address of observe did not answer with JSON.',
    remediation: 'Answer a GET to observe.url with status 200 and the state as JSON.',
    message: {
      status: ({ received }: { received: string }) => `observe.url must answer 200 with JSON; received ${received}.`,
      body: ({ received }: { received: string }) => `observe.url must answer JSON; received ${received}.`,
    },
  },
  'client-not-started': {
    exitCode: 3,
    meaning: 'The command of apiClient.exercise could not be run.',
    remediation: 'Check the command and its directory by running it yourself.',
    message: ({ failure }: { failure: string }) => failure,
  },
  'client-failed': {
    exitCode: 3,
    meaning: 'The client that was started failed before it had sent all of its requests.',
    remediation: 'Correct the error that its output shows, so that the client exits with code 0.',
    message: ({ failure }: { failure: string }) => failure,
  },
  'client-silent': {
    exitCode: 3,
    meaning: 'The client that was started sent no request and failed.',
    remediation:
      'Let the client use SVC_BASE_URL and SVC_API_KEY of its environment, and correct the error that its output shows.',
    message: ({ failure }: { failure: string }) => failure,
  },
  'tunnel-ended': {
    exitCode: 3,
    meaning: 'The tunnel ended during the run, or no longer leads here, so callbacks could not arrive.',
    remediation: 'Repeat the command. If it ends again, find the reason in the output of the tunnel program.',
    message: {
      exited: ({ command, how, output }: { command: string; how: string; output: string }) =>
        `The tunnel ${command} ${how} during the run, so callbacks could not arrive, and there is no verdict.${output}`,
      astray: ({ command, address, found, output }: StrayTunnel) =>
        `The tunnel ${command} no longer leads here: a test request to ${address} ${found}. Callbacks could not arrive, and there is no verdict.${output}`,
    },
  },
} as const satisfies Record<string, FaultRow>;
