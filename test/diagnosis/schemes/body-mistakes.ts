import type { Scheme, SignedSurface } from './scheme.ts';
import type { Steps } from './verifier.ts';

export const deliveries: readonly SignedSurface[] = ['own-ai-chat', 'api-webhooks'];

const text = (raw: Buffer) => raw.toString('utf8');
const parsed = (raw: Buffer): unknown => JSON.parse(text(raw));

/** Sorts the fields by name at every depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

function escaped(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** As the json module of Python writes it. */
export function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}: ${python(field)}`)
    .join(', ')}}`;
}

/** The envelope of an event as a typed class. */
function model(event: unknown): unknown {
  const { id, type, createdAt, protocol, workspaceId, agentId, data, ...rest } = event as Record<string, unknown>;
  return { id, type, createdAt, protocol, workspaceId, agentId, data, ...rest };
}

const bodies: readonly (Omit<Scheme, 'steps'> & { body: Steps['body'] })[] = [
  { ids: ['body-base64'], body: (raw) => raw.toString('base64') },
  { ids: ['one-field-signed'], body: (raw) => String((parsed(raw) as { id: string }).id) },
  { ids: ['fields-reordered'], body: (raw) => JSON.stringify(model(parsed(raw))) },
  { ids: ['body-compact'], body: (raw) => JSON.stringify(parsed(raw)) },
  {
    ids: ['body-spaced'],
    body: (raw) => python(parsed(raw)),
    manner: { status: 403, body: '{"detail":"Invalid signature"}' },
  },
  {
    ids: ['body-spaced'],
    form: 'as Python does by default',
    or: ['non-ascii-escaped'],
    body: (raw) => escaped(python(parsed(raw))),
  },
  { ids: ['body-indented'], body: (raw) => JSON.stringify(parsed(raw), null, 2) },
  { ids: ['body-sorted'], body: (raw) => JSON.stringify(sorted(parsed(raw))) },
  {
    ids: ['escapes-undone'],
    body: (raw) =>
      text(raw)
        .replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
        .replaceAll('\\/', '/'),
  },
  { ids: ['non-ascii-escaped'], body: (raw) => escaped(JSON.stringify(parsed(raw))) },
  { ids: ['slashes-escaped'], body: (raw) => JSON.stringify(parsed(raw)).replaceAll('/', '\\/') },
  {
    ids: ['slashes-escaped'],
    form: 'as PHP does by default',
    or: ['non-ascii-escaped'],
    body: (raw) => escaped(JSON.stringify(parsed(raw))).replaceAll('/', '\\/'),
  },
  { ids: ['body-with-bom'], body: (raw) => `\ufeff${text(raw)}` },
  { ids: ['body-as-latin-1'], body: (raw) => raw.toString('latin1'), manner: { afterMs: 80 } },
  { ids: ['body-trimmed'], body: (raw) => text(raw).trim() },
  { ids: ['newline-lost'], body: (raw) => text(raw).replace(/\n$/, '') },
  { ids: ['line-ends-changed'], body: (raw) => text(raw).replaceAll('\r\n', '\n') },
  {
    ids: ['numbers-rewritten'],
    // A parser that keeps white space and strings, as some streaming parsers do.
    body: (raw) =>
      text(raw).replace(/("(?:[^"\\]|\\.)*")|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token, quoted?: string) =>
        quoted === undefined ? String(Number(token)) : token,
      ),
  },
  { ids: ['body-empty'], body: () => '', manner: { status: 400, body: 'Empty payload' } },
  { ids: ['body-quoted'], body: (raw) => JSON.stringify(text(raw)) },
  {
    ids: ['body-as-form'],
    body: (raw) =>
      new URLSearchParams(
        Object.entries(parsed(raw) as object).map(([name, value]) => [name, String(value)] as [string, string]),
      ).toString(),
  },
  { ids: ['body-object-as-text'], body: (raw) => String(parsed(raw)) },
  // As encoding/json of Go writes a map; its Encoder adds a line feed.
  {
    ids: ['html-escaped'],
    or: ['body-sorted', 'newline-added'],
    form: 'as Go does',
    body: (raw) =>
      JSON.stringify(sorted(parsed(raw))).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  },
  { ids: ['newline-added'], body: (raw) => `${text(raw)}\n` },
  { ids: ['body-as-ascii'], body: (raw) => text(raw).replace(/[^\0-\x7f]/gu, '?') },
  { ids: ['body-normalised'], body: (raw) => text(raw).normalize('NFC') },
];

/** The signature is not computed over the received bytes of the body. */
export const bodyMistakes: readonly Scheme[] = bodies.map(({ body, ...scheme }) => ({
  surfaces: deliveries,
  ...scheme,
  steps: { body },
}));
