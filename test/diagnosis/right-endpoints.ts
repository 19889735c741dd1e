import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Seams } from '../proving/endpoint.ts';
import { json } from '../proving/wire.ts';
import type { OpenOptions } from './open-connection.ts';
import { variants } from '../variants/every-variant.ts';

/** A correct but unusual endpoint. */
export interface RightEndpoint {
  name: string;
  surface: DiagnosedSurface;
  /** Unusual fields of its config. */
  options?: Pick<OpenOptions, 'subscribed' | 'brand'>;
  build: () => Seams;
}

/** Correct endpoints that look like faulty ones, in addition to the variants of the proof. */
const lookalikes: readonly RightEndpoint[] = [
  {
    name: 'a custom body with the 202, then the reply',
    surface: 'own-ai-chat',
    build: () => ({
      chat: { later: () => true, accepted: () => json(202, { message: 'Message queued for the assistant.' }) },
    }),
  },
  {
    name: 'an empty 200 for what is answered later',
    surface: 'own-ai-chat',
    build: () => ({ chat: { later: () => true, accepted: () => ({ status: 200 }) } }),
  },
  {
    name: 'an acknowledgement with a place for errors, and none',
    surface: 'own-ai-chat',
    build: () => ({ chat: { now: () => json(200, { ok: true, detail: 'reply follows', errors: {} }) } }),
  },
  {
    name: 'an acknowledgement with an error number that means none',
    surface: 'own-ai-chat',
    build: () => ({ chat: { now: () => json(200, { error: 0, errors: [], errorMessage: 'none' }) } }),
  },
  {
    name: 'an answer that says nothing, with empty fields and a status that the service does not read',
    surface: 'own-ai-chat',
    build: () => {
      const result = 'ignored, the team is on it today';
      const nothing = { text: '', action: 'none', execute_skills: [], Announcement: '', result };
      return { chat: { now: () => json(200, nothing) } };
    },
  },
  {
    name: 'an error of the model reported with a 200, followed by the reply',
    surface: 'own-ai-chat',
    build: () => ({
      chat: { later: () => true, accepted: () => json(200, { error: 'the first model failed, the second is at it' }) },
    }),
  },
  {
    name: 'messages with braces, quotes, fences and words of Python',
    surface: 'own-ai-chat',
    build: () => ({
      chat: {
        think: () => ({ text: "```json\n{'a': None, // x\n}```\ndata: x NaN", action: 'none', data: { text: 'x' } }),
      },
    }),
  },
  {
    name: 'an object that is indented, with a byte order mark',
    surface: 'own-ai-chat',
    build: () => ({
      chat: { now: (thought) => ({ status: 200, body: `\ufeff${JSON.stringify(thought, null, 2)}\n` }) },
    }),
  },
  {
    name: 'answers to lookups in a 200, everything else by callback after a while',
    surface: 'crm-webhook',
    build: () => ({ crm: { later: (name) => !name.endsWith('Lookup'), callbackAfterMs: 700 } }),
  },
];

/** Every correct endpoint that has a surface of these probes. */
export const rightEndpoints: readonly RightEndpoint[] = [
  ...variants.flatMap(({ name, surfaces, subscribed, brand, build }) =>
    (['crm-webhook', 'api-webhooks', 'own-ai-chat'] as const)
      .filter((surface) => (surfaces as readonly string[]).includes(surface))
      .map((surface) => ({ name, surface, options: { subscribed, brand }, build })),
  ),
  ...lookalikes,
];
