import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import { html } from '../../reports/write/html/markup.ts';
import { markedJson } from '../../reports/write/html/marked-json.ts';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import type { BrokeAtPart, Exchange, Report } from '../../specs/generated/types.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';
import type { Element } from './parse-html.ts';
import {
  check,
  hostileReport,
  hostileText,
  oneFailureReport,
  oneFailureRun,
  sampleCatalogue,
} from './sample-report.ts';

const [sample] = oneFailureReport.exchanges as [Exchange];
const withId = (page: Element, id: string) =>
  elements(page).find(({ attributes }) => attributes.get('id') === id) as Element;
const marks = (element: Element) =>
  elements(element)
    .filter(({ name }) => name === 'mark')
    .map(textOf);

/** A report with one exchange that broke a rule. */
function brokenReport(brokeIn: Omit<BrokeAtPart, 'exchange'>, exchange: Exchange = sample): Report {
  const failing = check('own-ai-chat/refuses-altered-body', 'fail', {
    message: 'expected a, received b',
    evidence: [exchange.id],
    brokeAt: { exchange: exchange.id, ...brokeIn },
  });
  return buildReport({ ...oneFailureRun, checks: [failing], exchanges: [exchange] }, sampleCatalogue);
}

const answered: Exchange = {
  ...sample,
  response: { status: 200, headers: [['Content-Type', 'text/plain']], body: '{"a":{"b":[1,2]}}', bodyBytes: 17 },
  timing: { connectMs: 1, firstByteMs: 2300, totalMs: 2304, limitMs: 2000 },
};

describe('the part at which a rule broke', () => {
  test.each<[string, Omit<BrokeAtPart, 'exchange'>, string]>([
    ['the status', { part: 'response-status' }, 'status 200'],
    ['a header, whatever its case', { part: 'response-header', name: 'content-type' }, 'Content-Type: text/plain'],
    ['a header that is not there', { part: 'response-header', name: 'retry-after' }, 'retry-after: (missing)'],
    ['a header of the request', { part: 'request-header', name: 'authorization' }, 'authorization: Bearer [redacted]'],
    ['a field of the body', { part: 'response-body', pointer: '/a/b/1' }, '2'],
    ['a field with its name', { part: 'response-body', pointer: '/a' }, '"a": { "b": [ 1, 2 ] }'],
    ['the whole body', { part: 'response-body' }, '{ "a": { "b": [ 1, 2 ] } }'],
    ['the body of the request', { part: 'request-body', pointer: '/eventType' }, '"eventType": "IncomingCallLookup"'],
    ['the time', { part: 'time' }, 'complete 2304 ms'],
  ])('%s is marked, and described', (_, brokeIn, marked) => {
    const page = parseHtml(renderHtml(brokenReport(brokeIn, answered)));
    const exchange = withId(page, 'exchange-1');
    expect(marks(exchange)).toEqual([marked]);
    expect(textOf(exchange)).toContain('failed here: own-ai-chat/refuses-altered-body, expected a, received b');
    expect(marks(withId(page, 'finding-1'))).toEqual([marked]);
  });

  test('that is missing from the body is named, and its object is marked', () => {
    const page = parseHtml(renderHtml(brokenReport({ part: 'response-body', pointer: '/a/c' }, answered)));
    expect(marks(withId(page, 'exchange-1'))).toEqual(['"a"', '/a/c']);
    expect(textOf(withId(page, 'exchange-1'))).toContain('/a/c is missing');
  });

  test('is described if no answer came', () => {
    const { response: _, ...silent } = answered;
    const page = parseHtml(
      renderHtml(brokenReport({ part: 'response-status' }, { ...silent, outcome: 'no-answer', detail: 'timed out' })),
    );
    expect(textOf(withId(page, 'exchange-1'))).toMatch(
      /No answer \(no-answer\)\. timed out ✗ failed here: .*received b/,
    );
  });

  test('opens the exchange in an open finding', () => {
    const page = parseHtml(renderHtml(brokenReport({ part: 'time' }, answered)));
    const shown = elements(withId(page, 'finding-1')).filter(
      ({ attributes }) => attributes.get('class') === 'exchange broken',
    );
    expect(shown.map(({ attributes }) => attributes.has('open'))).toEqual([true]);
  });
});

test('headers are each on a separate line', () => {
  const page = renderHtml(brokenReport({ part: 'request-header', name: 'retry-after' })).replaceAll(/<[^>]*>/g, '');
  expect(page).toMatch(
    /POST http:\/\/\S+\ncontent-type: application\/json\nauthorization: Bearer \[redacted\]\nretry-after: \(missing\)\n/,
  );
});

describe('marks in JSON', () => {
  const marked = (text: string, ...pointers: string[]) => markedJson(text, pointers);

  test.each([
    ['{"a/b":1,"~":2}', '/a~1b', '<mark>"a/b":1</mark>'],
    ['{"a/b":1,"~":2}', '/~0', '<mark>"~":2</mark>'],
    ['[[],{"":0}]', '/1/', '<mark>"":0</mark>'],
    ['"text"', '', '<mark>"text"</mark>'],
    ['{"a":1,"a":2}', '/a', '<mark>"a":1</mark>'],
    ['{"a":1,"a":2}', '/a', '<mark>"a":2</mark>'],
    ['{"a\\u0062":1}', '/ab', '<mark>"a\\u0062":1</mark>'],
  ])('%s at %j', (text, pointer, expected) => {
    expect(marked(text, pointer).text.source.replaceAll('&quot;', '"')).toContain(expected);
    expect(marked(text, pointer).missing).toEqual([]);
  });

  test('leave every character of the body unchanged', () => {
    const text = `{ "a" : [ 1.0, {"b": "\\u00e4<"} ],\n"c": null }`;
    const { source } = marked(text, '/a/1/b', '/c', '/a').text;
    expect(source.replaceAll(/<\/?mark>/g, '')).toBe(html`${text}`.source);
  });

  test('are none if the body is cut', () => {
    expect(marked('{"a":', '/a')).toEqual({ text: html`${'{"a":'}`, missing: ['/a'] });
  });
});

describe('exchanges beyond what is written out', () => {
  const page = parseHtml(renderHtml(hostileReport, { writtenCharacters: 9_000 }));
  const packs = elements(page).filter(({ name }) => name === 'template');
  const unpacked = packs.flatMap(
    (pack) => JSON.parse(inflateRawSync(Buffer.from(textOf(pack), 'base64')).toString()) as string[],
  );
  const written = elements(withId(page, 'exchanges')).filter(({ attributes }) =>
    attributes.get('id')?.startsWith('exchange-'),
  );

  test('are packed, each exactly once', () => {
    const anchors = unpacked.map((markup) => / id="(exchange-\d+)"/.exec(markup)?.[1]);
    const all = [...written.map(({ attributes }) => attributes.get('id')), ...anchors];
    expect(unpacked.length).toBeGreaterThan(0);
    expect(all.toSorted()).toEqual(hostileReport.exchanges.map((_, index) => `exchange-${index + 1}`));
    expect(textOf(withId(page, 'further'))).toContain(`Further exchanges ${unpacked.length}`);
  });

  test('are markup without elements from outside strings', () => {
    for (const markup of unpacked) expect(() => parseHtml(markup)).not.toThrow();
    expect(renderHtml(hostileReport, { writtenCharacters: 0 })).not.toContain(hostileText);
  });

  test('are those without failures first; a link to one names it for the script', () => {
    const troubled = hostileReport.checks.filter(({ verdict }) => verdict !== 'pass').flatMap((one) => one.evidence);
    const ids = written.map(({ attributes }) => Number(attributes.get('id')?.split('-')[1]) - 1);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((index) => !troubled.includes(hostileReport.exchanges[index]?.id ?? ''))).toEqual([]);
    const links = elements(page).filter(({ attributes }) => attributes.has('data-exchange'));
    expect(links.map(({ attributes }) => attributes.get('href'))).toContain('#further');
  });
});

describe('lines of the container', () => {
  const started = Date.parse(sample.startedAt);
  const line = (afterMs: number, text: string, stream: 'stdout' | 'stderr' = 'stdout') => ({
    at: new Date(started + afterMs).toISOString(),
    stream,
    text,
  });
  const report: Report = {
    ...oneFailureReport,
    exchanges: [sample, { ...sample, id: 'ex-2', startedAt: new Date(started + 60_000).toISOString() }],
    container: { image: 'integrator:1.4.2', digest: 'sha256:ab12' },
    logs: [line(-500, 'listening'), line(5, 'read the event'), line(60_003, 'TypeError', 'stderr')],
    logsOmitted: 7,
  };
  const page = parseHtml(renderHtml(report));

  test('appear with the exchange during which they were written', () => {
    expect(textOf(withId(page, 'exchange-1'))).toMatch(/Endpoint log during this exchange \+5 ms read the event$/);
    expect(textOf(withId(page, 'exchange-2'))).toMatch(/Endpoint log during this exchange \+3 ms stderr TypeError$/);
    expect(textOf(withId(page, 'exchange-1'))).not.toContain('listening');
  });

  test('are all under Container, with the image and what was omitted', () => {
    const section = textOf(withId(page, 'container'));
    for (const phrase of [
      'integrator:1.4.2',
      'sha256:ab12',
      '3 lines',
      'listening',
      '7 lines omitted from the report',
    ]) {
      expect(section).toContain(phrase);
    }
  });

  test('appear each on a separate line', () => {
    const rest: Report = { ...report, logs: [line(1, 'one'), line(2, 'two\nthree', 'stderr')] };
    const shown = renderHtml(rest).replaceAll(/<[^>]*>/g, '');
    expect(shown).toContain('+1 ms one\n+2 ms stderr two\nthree\n');
  });

  test('of concurrent exchanges appear only with the latest', () => {
    const many = Array.from({ length: 5 }, (_, index) => ({ ...sample, id: `ex-${index + 1}` }));
    const crowded = parseHtml(renderHtml({ ...report, exchanges: many, logs: [line(5, 'read the event')] }));
    const hasLine = many.map((_, index) => textOf(withId(crowded, `exchange-${index + 1}`)).includes('read the event'));
    expect(hasLine).toEqual([false, false, false, false, true]);
  });
});
