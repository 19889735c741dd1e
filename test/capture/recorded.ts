import { IdGenerator } from '../../harness/checks/id-generator.ts';
import { Samples } from '../../harness/checks/samples.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { signatureHeader } from '../../specs/signing.ts';

/** One exchange that a test adds to a recording. Bodies that are not strings are written as JSON. */
export interface RecordedMessage {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Seconds since the recording began. */
  at: number;
  status?: number;
  answerHeaders?: Record<string, string>;
  answer?: unknown;
  /** Milliseconds. */
  ms?: number;
  /** Fields of the entry as another recorder writes them. */
  over?: (entry: HarEntry) => void;
  frames?: { from: 'service' | 'ai'; at: number; value: unknown }[];
}

export interface HarEntry {
  startedDateTime: string;
  time: number;
  request: { method: string; url: string; headers: Header[]; bodySize: number; postData?: Record<string, unknown> };
  response: { status: number; headers: Header[]; content: Record<string, unknown>; bodySize: number };
  timings: Record<string, number | null>;
  [name: string]: unknown;
}

interface Header {
  name: string;
  value: string;
}

export const began = Date.parse('2026-10-20T09:00:00Z');
export const base = 'https://api.svc.example';
export const secret = 'whsec_cmVjb3JkZWQgdHJhZmZpYw==';
export const token = 'k7Fq2mZx9Tb4wR8s';
export const apiKey = 'svc_sk_recorded_9Kd2Lm4Qx7';
export const addresses = {
  crm: 'https://shop.example/crm',
  hooks: 'https://shop.example/hooks',
  chat: 'https://shop.example/chat',
  phone: 'wss://shop.example/voice',
};

export const config: ResolvedConfig = {
  crmWebhook: { url: addresses.crm, token },
  apiWebhooks: { url: addresses.hooks, secret },
  chat: { url: addresses.chat, secret, timeoutSeconds: 10, timeoutGiven: true },
  phone: { url: addresses.phone, secret, timeoutSeconds: 10, timeoutGiven: true },
  skills: [],
  stimuli: {},
  service: { host: '127.0.0.1', port: 0, apiKey },
};

export const sample = new Samples(new IdGenerator(), {
  workspace: { id: 4711, timeZone: 'Europe/Berlin', agents: new Map() },
  skills: [],
  caller: undefined,
  sentence: undefined,
  callerSentence: undefined,
});

/** A HAR entry as most recorders write it: with every size, and text unchanged. */
export function entryOf(traffic: RecordedMessage): HarEntry {
  const {
    method = 'POST',
    url,
    headers = {},
    body,
    at,
    status = 200,
    answerHeaders = {},
    answer,
    ms = 40,
    over,
    frames,
  } = traffic;
  const sent = textOf(body);
  const came = textOf(answer);
  const entry: HarEntry = {
    startedDateTime: new Date(began + at * 1000).toISOString(),
    time: ms,
    request: {
      method,
      url,
      headers: pairs(headers),
      bodySize: Buffer.byteLength(sent),
      ...(sent !== '' && { postData: { mimeType: 'application/json', text: sent } }),
    },
    response: {
      status,
      headers: pairs(answerHeaders),
      content: { size: Buffer.byteLength(came), mimeType: 'application/json', ...(came !== '' && { text: came }) },
      bodySize: Buffer.byteLength(came),
    },
    timings: { send: 1, wait: ms - 2, receive: 1 },
    ...(frames && {
      _webSocketMessages: frames.map(({ from, at: frameAt, value }) => ({
        type: from === 'service' ? 'send' : 'receive',
        time: began / 1000 + at + frameAt,
        opcode: 1,
        data: textOf(value),
      })),
    }),
  };
  over?.(entry);
  return entry;
}

export function harOf(all: readonly RecordedMessage[]): string {
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'test', version: '1' }, entries: all.map(entryOf) },
  });
}

/** Headers of a signed delivery that is sent at `at`. */
export function signedHeaders(
  body: unknown,
  at: number,
  { with: key = secret, offset = 0 } = {},
): Record<string, string> {
  const t = Math.floor(began / 1000 + at) + offset;
  return { 'x-svc-signature': signatureHeader({ secret: key, t, body: textOf(body) }) };
}

export function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pairs(headers: Record<string, string>): Header[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
