import { isJsonObject, parseJsonText, describeExceededBounds } from '../checks/json.ts';
import type { CallEnd, CallFrame } from '../wire/observation.ts';
import type { CapturedExchange } from './captured-exchange.ts';
import { isCount, isDate, isDuration } from './possible-values.ts';

type Fields = Record<string, unknown>;
type Call = NonNullable<CapturedExchange['call']>;

/**
 * The frames of a WebSocket that a HAR entry has, under `_webSocketMessages` as browsers write them; `undefined` for an
 * entry of another kind. A text tells what keeps it from being read. In addition to frames browsers list errors; what cannot be
 * read of a frame counts as omitted.
 */
export function readCall(entry: Fields, startedMs: number): Call | string | undefined {
  const { _webSocketMessages: messages, _framesLeftOut: left = 0 } = entry;
  const closed = entry._closed ?? undefined;
  if (!Array.isArray(messages)) return undefined;
  if (!isCount(left)) return 'a number of frames that is none (_framesLeftOut)';
  const end = closed === undefined ? undefined : endOf(closed);
  if (closed !== undefined && !end) return 'an end of a call in another form (_closed)';
  const sent = messages.filter(isMessage);
  const read = sent.filter(({ data, opcode }) => typeof data === 'string' && (opcode === 1 || opcode === 2));
  if (read.some(({ time }) => typeof time === 'number' && !isDate(time * 1000)))
    return 'a frame at a time that is none';
  const frames = read.map((message) => frameOf(message, startedMs));
  const [unread] = frames.flatMap((frame) => describeExceededBounds(Buffer.from(frame.text, 'utf8')) ?? []);
  if (unread !== undefined) return unread;
  return {
    frames: frames.map((frame) => ({ ...frame, value: parseJsonText(frame.text) })),
    framesLeftOut: left + sent.length - read.length,
    ...(end && { end }),
  };
}

/** Texts, binary frames, and pieces of either (RFC 6455, 5.2); not what keeps the connection, nor an error. */
function isMessage(message: unknown): message is Fields {
  if (!isJsonObject(message) || (message.type !== 'send' && message.type !== 'receive')) return false;
  const { opcode } = message;
  return opcode === undefined || (typeof opcode === 'number' && opcode >= 0 && opcode <= 2);
}

function frameOf({ type, time, opcode, data, _binary: binary }: Fields, startedMs: number): Omit<CallFrame, 'value'> {
  // Data of a binary frame recorders write in base64.
  const bytes = Buffer.from(String(data), opcode === 2 ? 'base64' : 'utf8');
  return {
    from: type === 'send' ? 'service' : 'ai',
    atMs: typeof time === 'number' ? Math.max(0, time * 1000 - startedMs) : 0,
    text: bytes.toString('utf8'),
    bytes: bytes.length,
    ...((opcode === 2 || binary === true) && { binary: true }),
  };
}

function endOf(closed: unknown): CallEnd | undefined {
  if (!isJsonObject(closed)) return undefined;
  const { by, atMs, code, reason, clean, detail } = closed;
  if ((by !== 'service' && by !== 'ai') || !isDuration(atMs) || !isCount(code)) return undefined;
  if (typeof reason !== 'string' || typeof clean !== 'boolean') return undefined;
  return { by, atMs, code, reason, clean, ...(typeof detail === 'string' && { detail }) };
}
