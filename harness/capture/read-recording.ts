import { Brand } from '../../specs/brand.ts';
import { readFileSync, statSync } from 'node:fs';
import { HarnessFault } from '../checks/faults.ts';
import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { parseJsonText } from '../checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CapturedExchange, Recording } from './captured-exchange.ts';
import { readHarEntry } from './read-har.ts';
import { isLogLine, readServiceLog, type ServiceLogLine } from './read-service-log.ts';

/** Maximum bytes of a file; its text and its bodies must fit into memory together. */
export const largestRecordingBytes = 200 * 2 ** 20;

const forms = 'a HAR 1.2 file, its entries one per line (NDJSON), or the log of svc-conform serve --json';

/**
 * Reads a recording: a HAR file, HAR entries one per line, or the log of `serve --json`. A byte order mark is skipped.
 *
 * @param brand its names are in the file, those of the document in the recording
 * @throws HarnessFault `capture-unreadable` with the actual kind of file
 */
export function readRecording(file: string, brand = Brand.named()): Recording {
  const recording = readFile(file);
  if (recording.kind === 'log') return recording;
  return { ...recording, exchanges: recording.exchanges.map((exchange) => withDocumentNames(exchange, brand)) };
}

function readFile(file: string): Recording {
  const text = textOf(file);
  if (text.trim() === '') throw refused(file, 'an empty file');
  const whole = parseJsonText(text, fileBounds);
  if (whole !== undefined && !isSingleLine(whole)) {
    const entries = entriesOf(whole);
    if (!entries) throw refused(file, isJsonObject(whole) ? 'JSON without log.entries' : 'JSON that is not an object');
    return recordingOf(
      file,
      entries.map((value, at) => ({ entry: at + 1, value })),
    );
  }
  const lines = text
    .split(/\r?\n/)
    .map((line, at) => ({ entry: at + 1, line: line.trim() }))
    .filter(({ line }) => line !== '');
  return recordingOf(
    file,
    lines.map(({ entry, line }) => {
      const read = readBoundedJson(Buffer.from(line), fileBounds);
      if ('value' in read) return { entry, value: read.value };
      return { entry, value: undefined, ...(read.unread && { unread: read.error }) };
    }),
  );
}

/** Maps what is mapped on the wire; names in a log of `serve` are those of the document. */
function withDocumentNames(exchange: CapturedExchange, brand: Brand): CapturedExchange {
  const { request, requestBody, answer, answerBody } = exchange;
  if (brand.isDocuments || exchange.logged) return exchange;
  const sent = brand.request({ headers: request.headers, body: requestBody.bytes });
  return {
    ...exchange,
    request: brand.request(request),
    requestBody: { ...requestBody, bytes: sent.body },
    answer: answer.outcome === 'answered' ? { ...answer, body: brand.body(answer.body) } : answer,
    answerBody: { ...answerBody, bytes: brand.body(answerBody.bytes) },
  };
}

function recordingOf(file: string, entries: readonly { entry: number; value: unknown; unread?: string }[]): Recording {
  const runEvents = entries.filter(
    ({ value }) => isJsonObject(value) && typeof value.event === 'string' && 'at' in value,
  );
  if (runEvents.length > 0 && runEvents.length === entries.length) {
    throw refused(
      file,
      'the events of a run, which contain verdicts but no exchanges. To write the exchanges of a run, use check --format har',
    );
  }
  const exchanges: CapturedExchange[] = [];
  const unreadable: Recording['unreadable'] = new Map();
  const leave = (reason: string, entry: number) => {
    const at = unreadable.get(reason);
    if (at) at.push(entry);
    else unreadable.set(reason, [entry]);
  };
  const log: ServiceLogLine[] = [];
  for (const { entry, value, unread = 'invalid JSON' } of entries) {
    // Other lines are ignored, such as the addresses that `serve` prints.
    if (isLogLine(value)) log.push({ entry, value });
    else if (isJsonObject(value) && 'request' in value) {
      const read = readHarEntry(value, entry);
      if (typeof read !== 'string') exchanges.push(read);
      else leave(read, entry);
    } else if (value === undefined) leave(unread, entry);
  }
  const logged = readServiceLog(log, leave);
  if (exchanges.length + logged.length === 0) {
    const why = [...unreadable].map(([reason, at]) => `${reason} (${at.length === 1 ? 'one' : at.length})`);
    const nothing = log.length > 0 ? 'a log without deliveries or calls' : 'no readable entries';
    throw refused(file, why.length === 0 ? nothing : `entries with ${why.join(', ')}`);
  }
  return {
    file,
    exchanges: [...exchanges, ...logged].toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime()),
    unreadable,
    kind: exchanges.length === 0 ? 'log' : 'har',
  };
}

function entriesOf(whole: unknown): unknown[] | undefined {
  if (!isJsonObject(whole) || !isJsonObject(whole.log)) return undefined;
  return Array.isArray(whole.log.entries) ? whole.log.entries : undefined;
}

/** A single line of NDJSON is also a valid JSON file. */
function isSingleLine(whole: unknown): boolean {
  return isJsonObject(whole) && !('log' in whole) && ('request' in whole || 'event' in whole || isLogLine(whole));
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > largestRecordingBytes) {
      throw refused(file, `more than ${largestRecordingBytes / 2 ** 20} MiB; exclude traffic of other hosts`);
    }
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof HarnessFault) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new HarnessFault('capture-unreadable:missing', { file }, { cause: error });
    if (code === 'EISDIR') throw refused(file, 'a directory');
    throw new HarnessFault('capture-unreadable:error', { file, reason: message }, { cause: error });
  }
}

function refused(file: string, received: string): HarnessFault {
  return new HarnessFault('capture-unreadable:form', { file, expected: forms, received });
}
