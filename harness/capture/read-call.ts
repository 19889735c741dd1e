import { parseJsonText, describeExceededBounds } from '../checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallEnd, CallFrame } from '../wire/observation.ts';
import type { CapturedExchange } from './captured-exchange.ts';
import { isCount, isDate, isDuration } from './possible-values.ts';
import type { JsonObject } from '../../specs/json-value.ts';

type CapturedCallRecord = NonNullable<CapturedExchange['call']>;

/**
 * The WebSocket frames of a HAR entry, under `_webSocketMessages` as browsers write them; `undefined` for an entry of
 * another kind, a string with the reason for an unreadable one. Browsers also list errors there, which are skipped;
 * frames that cannot be read count as omitted.
 */
export function readCall(entry: JsonObject, startedMs: number): CapturedCallRecord | string | undefined {
  const { _webSocketMessages: messages, _framesOmitted: left = 0 } = entry;
  const closed = entry._closed ?? undefined;
  if (!Array.isArray(messages)) return undefined;
  if (!isCount(left)) return 'an invalid number of frames (_framesOmitted)';
  const end = closed === undefined ? undefined : endOf(closed);
  if (closed !== undefined && !end) return 'an invalid end of a call (_closed)';
  const sent = messages.filter(isMessage);
  const read = sent.filter(({ data, opcode }) => typeof data === 'string' && (opcode === 1 || opcode === 2));
  if (read.some(({ time }) => typeof time === 'number' && !isDate(time * 1000))) return 'a frame with an invalid time';
  const frames = read.map((message) => frameOf(message, startedMs));
  const [unread] = frames.flatMap((frame) => describeExceededBounds(Buffer.from(frame.text, 'utf8')) ?? []);
  if (unread !== undefined) return unread;
  return {
    frames: frames.map((frame) => ({ ...frame, value: parseJsonText(frame.text) })),
    framesOmitted: left + sent.length - read.length,
    ...(end && { end }),
  };
}

/** Text frames, binary frames and continuations (RFC 6455, 5.2); no control frames or errors. */
function isMessage(message: unknown): message is JsonObject {
  if (!isJsonObject(message) || (message.type !== 'send' && message.type !== 'receive')) return false;
  const { opcode } = message;
  return opcode === undefined || (typeof opcode === 'number' && opcode >= 0 && opcode <= 2);
}

function frameOf(
  { type, time, opcode, data, _binary: binary }: JsonObject,
  startedMs: number,
): Omit<CallFrame, 'value'> {
  // Recorders encode the data of binary frames in base64.
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
