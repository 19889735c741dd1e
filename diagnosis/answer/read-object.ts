import { gunzipSync, inflateSync } from 'node:zlib';
import { parseJsonText, parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import type { AnswerFault } from './answer-fault.ts';
import { findRepairs } from './repairs.ts';

/** Most bytes to decompress from a body. */
const mostUnpacked = 262_144;
/** Lines within which the data of an event stream has to begin. */
const mostFieldLines = 8;

/** Parses a body as an object, or explains why it is not one. */
export function readObject(body: Uint8Array): { object: Record<string, unknown> } | { fault: AnswerFault } {
  const parsed = parseJson(body);
  if ('error' in parsed) return { fault: notJson(body) };
  const { value } = parsed;
  if (isJsonObject(value)) return { object: value };
  if (typeof value === 'string' && isJsonObject(parseJsonText(value))) {
    return {
      fault: fault('answer/encoded-twice', 'The answer is serialised twice: a JSON string that contains JSON.'),
    };
  }
  return { fault: fault('answer/not-an-object', `The answer is ${kindOf(value)}, not a JSON object.`) };
}

function notJson(body: Uint8Array): AnswerFault {
  const bytes = Buffer.from(body);
  const text = utf8(bytes);
  if (text === undefined || text.includes('\u0000')) return otherBytes(bytes);
  if (text.trim() === '') {
    return fault('answer/blank', `The body of the 200 is ${bytes.length} bytes of white space.`);
  }
  if (/^\s*(?:<!doctype html|<html|<head|<body)/i.test(text)) {
    return fault('answer/html', `The answer is an HTML page${quoted(visibleText(text))}.`);
  }
  if (/^\s*<\?xml/i.test(text)) return fault('answer/xml', 'The answer is XML.');
  if (isEventStream(text)) {
    return fault('answer/event-stream', 'The answer is a stream of server-sent events (lines that begin with data:).');
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > 1 && lines.every((line) => isJsonObject(parseJsonText(line)))) {
    return fault('answer/several-values', `The answer contains ${lines.length} JSON objects, one per line.`);
  }
  const found = findRepairs(text);
  if (found) {
    const [first, second] = found;
    if (first && second) return fault(first.id, `${first.text} Also: ${second.text}`);
    if (first) return fault(first.id, first.text);
  }
  if (/^\s*<\w+[\s>]/.test(text)) return fault('answer/html', `The answer is HTML${quoted(visibleText(text))}.`);
  if (/^[\w.[\]%-]+=[^&=\s]*(?:&[\w.[\]%-]+=[^&=\s]*)*$/.test(text.trim()) && /[&%]/.test(text)) {
    return fault('answer/form', 'The answer consists of name=value pairs, like a submitted form.');
  }
  if (!/[{}[\]]/.test(text))
    return fault('answer/plain-text', `The answer is plain text of ${text.length} characters${quoted(text)}.`);
  return {
    ...fault('answer/not-json', 'The answer is not JSON.'),
    doubt: 'No known mistake explains it: undoing each of them, alone or in pairs, does not yield JSON.',
  };
}

/** Lines of an event, an id or a time may precede the first line of data. */
function isEventStream(text: string): boolean {
  const [line] = text
    .trimStart()
    .split('\n', mostFieldLines)
    .filter((one) => !/^(?:event|id|retry):/.test(one));
  return line?.startsWith('data:') === true;
}

/** Judges a body that is not UTF-8. */
function otherBytes(bytes: Buffer): AnswerFault {
  for (const unpack of [gunzipSync, inflateSync]) {
    const unpacked = attempt(() => unpack(bytes, { maxOutputLength: mostUnpacked }).toString('utf8'));
    if (unpacked !== undefined && isJsonObject(parseJsonText(unpacked))) {
      return fault('answer/compressed', 'The answer is compressed, but has no Content-Encoding.');
    }
  }
  for (const form of ['utf-16le', 'utf-16be']) {
    const text = attempt(() => new TextDecoder(form, { fatal: true }).decode(bytes));
    if (text !== undefined && isJsonObject(parseJsonText(text))) {
      return fault('answer/utf-16', `The answer is written in ${form.toUpperCase()} instead of UTF-8.`);
    }
  }
  if (isJsonObject(parseJsonText(bytes.toString('latin1')))) {
    return fault('answer/latin-1', 'The answer is written in Latin-1 (or Windows-1252) instead of UTF-8.');
  }
  return {
    ...fault('answer/not-json', 'The answer is not valid UTF-8.'),
    doubt: 'It is not JSON in any common encoding, nor compressed JSON.',
  };
}

/** Characters of a page that are inspected, and of an answer that are quoted. */
const inspectedCharacters = 2_000;
const quotedCharacters = 60;

/** The title of a page, or its beginning without tags: it shows which program answers. */
function visibleText(page: string): string {
  const beginning = page.slice(0, inspectedCharacters);
  const [, title] = /<title[^<>]*>([^<]+)/i.exec(beginning) ?? [];
  return title ?? beginning.replaceAll(/<[^<>]*>/g, ' ');
}

/** Completes a sentence: `: "502 Bad Gateway"`; empty without visible characters. */
function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return '';
  return `: "${line.slice(0, quotedCharacters)}${line.length > quotedCharacters ? '…' : ''}"`;
}

function fault(id: AnswerFault['id'], text: string): AnswerFault {
  return { id, summary: text };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return 'a string';
  return shortJson(value);
}

function utf8(bytes: Buffer): string | undefined {
  return attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
