import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anonymize } from '../../reports/model/anonymize.ts';
import { formats } from '../../reports/write/formats.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import type { Exchange, Report } from '../../specs/generated/types.ts';
import { schemas, type JsonSchema } from '../../specs/schemas.ts';
import { validate } from '../../specs/validators.ts';
import { fixed, fullReport, planted } from './planted-report.ts';
import { callReport, cleanReport, hostileCallReport, hostileReport, manyFailuresReport } from './sample-report.ts';

/** Strings that could identify persons or places; `left` lists the parts that must not remain. */
const plants: Readonly<Record<string, { text: string; left: readonly string[] }>> = {
  names: { text: 'Annegret Kłosowska', left: ['Annegret', 'Kłosowska', 'osowska'] },
  'a name with a hyphen and an apostrophe': { text: "D'Amico-Özdemir", left: ['Amico', 'zdemir'] },
  'a name in another script': { text: 'Дмитрий 田中さん', left: ['Дмитрий', '田中'] },
  'a name in capitals': { text: 'ZBIGNIEW', left: ['ZBIGNIEW', 'zbigniew'] },
  'a company': { text: 'Hydrotherm Wandsbek GmbH & Co. KG', left: ['Hydrotherm', 'Wandsbek'] },
  'an address': {
    text: 'Ahrensburger Chaussee 4177b, 25421 Pinneberg',
    left: ['Ahrensburg', 'Chaussee', '4177', '25421', 'Pinneberg'],
  },
  'a host': { text: 'crm.hydrotherm-nord.de', left: ['hydrotherm', 'nord.de'] },
  'a host of one word': { text: 'http://wandsbek:8443/hook', left: ['wandsbek'] },
  'an address with a user name in it': {
    text: 'https://annegret:x@kunde.hydrotherm.de:8443/api?kunde=Kl%C3%B6ssowska',
    left: ['annegret', 'hydrotherm', 'ssowska'],
  },
  'an IPv4 address': { text: '10.24.77.19', left: ['10.24.77.19', '24.77'] },
  'an IPv6 address': { text: '2a02:8109:b6c0:2f00::1f', left: ['2a02', '8109', 'b6c0'] },
  'a mail address': { text: 'a.klosowska+crm@mail.hydrotherm.de', left: ['klosowska', 'hydrotherm'] },
  'a phone number': { text: '+494101592837', left: ['4101592837', '592837'] },
  'a phone number in groups': { text: '+49 (0)4101 59 28 37', left: ['4101', '59 28 37'] },
  'a phone number with a trunk prefix': { text: '04101/592837', left: ['4101', '592837'] },
  'a phone number in an address': { text: '%2B494101592837', left: ['4101592837'] },
  'a phone number, digit by digit': { text: '0 4 1 0 1 5 9 2 8 3 7', left: ['4 1 0 1 5', '5 9 2 8', '9 2 8 3'] },
  'a phone number with a digit by itself': { text: '+49 41 0 15 92 8', left: ['41 0 15', '15 92 8', '92 8'] },
  'a phone number with en dashes': { text: '041–015–928', left: ['041–015', '015–928'] },
  'a phone number with hyphens that do not break': {
    text: '041\u2011015\u2011928',
    left: ['041\u2011015', '015\u2011928'],
  },
  'a phone number with narrow spaces': { text: '041\u202f015\u2009928', left: ['041\u202f015', '015\u2009928'] },
  'a short phone number': { text: '410-15-9', left: ['410-15', '15-9'] },
  'a phone number with one dot': { text: '041.015928', left: ['041.015', '015928'] },
  'a phone number right behind a word': { text: 'Tel.041 015 928', left: ['041 015', '015 928'] },
  'a phone number in a table': { text: '7,041 015 928,x', left: ['041 015', '015 928'] },
  'a phone number next to a time': { text: '041 015 928 2026-10-12T09:30:01Z', left: ['041 015', '015 928'] },
  'two phone numbers next to each other': {
    text: '0 4 1 0 1 5 9 2 8 3 7 / 0 4 1 0 1 7 7 3 6 6 2 5 1 1',
    left: ['5 9 2 8', '7 7 3 6', '1 0 1 5'],
  },
  'a place in degrees': {
    text: '{"lat":53.657213,"lng":9.796118} 53.6572, 9.7961',
    left: ['53.657213', '657213', '9.796118', '796118', '53.6572', '9.7961'],
  },
  'a place in degrees in an address': { text: '?q=-53.657213,9.796118', left: ['657213', '796118'] },
  'a number that is followed by words': {
    text: 'customer 48213 requests a callback, 48214 days, 48215 times, 48216 s. oben',
    left: ['48213', '48214', '48215', '48216'],
  },
  'a name behind a title': { text: 'Dear Mr. Field, Dr. Black', left: ['Field,', 'Mr. Field', 'Dr. Black'] },
  'a case number': { text: 'K-88213 and C/2031/77410', left: ['88213', '77410'] },
  'a short case number': { text: 'P-77', left: ['P-77'] },
  'a UUID': { text: 'd9b2d63d-a233-4123-847a-1f3c5e7a9b21', left: ['d9b2d63d', '1f3c5e7a9b21'] },
  'an id of letters and digits': { text: 'cus_Nf8sK29dLq', left: ['Nf8sK29dLq', 'Nf8s'] },
  'a number': { text: '88213457', left: ['88213457'] },
  'a hash': {
    text: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    left: ['9f86d081', '884c7d659a2f'],
  },
  'a path': { text: '/home/zbigniew/hydrotherm/crm.ts:1234', left: ['zbigniew', 'hydrotherm'] },
  'a class': {
    text: 'at de.hydrotherm.crm.WandsbekController.find(WandsbekController.java:42)',
    left: ['hydrotherm', 'Wandsbek'],
  },
  'a date of birth': { text: 'born 1961-03-14, 14.03.1961', left: ['1961-03-14', '14.03.1961', '1961'] },
  'a day in words': { text: 'born on 3 May 1961', left: ['1961', '3 may'] },
  'a log line in JSON': {
    text: '{"user":"annegret","kundennr":"K881","n":88213457}',
    left: ['annegret', 'K881', '88213457'],
  },
  'an escaped name': { text: String.raw`K\u0142osowska`, left: ['osowska'] },
};

const text = (report: Report) => JSON.stringify(report);

function find(report: Report, left: readonly string[]): string[] {
  const all = text(report).toLowerCase();
  const forms = (one: string) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)];
  return left.filter((one) => forms(one).some((form) => all.includes(form.toLowerCase())));
}

describe('anonymize', () => {
  it.each(Object.entries(plants))('leaves nothing of %s, wherever it stands', (_, { text: plant, left }) => {
    const { report, places } = planted(fullReport, plant);
    expect(places.length).toBeGreaterThan(200);
    expect(validate('report', report)).toEqual([]);
    expect(find(report, left.slice(0, 1))).toHaveLength(1);
    expect(find(anonymize(report), left)).toEqual([]);
  });

  it('knows every field of a report that contains a string', () => {
    const { places } = planted(fullReport, 'x');
    const unknown = textFields(schemas.report).filter((name) => !fixed.has(name) && !places.includes(name));
    expect(unknown).toEqual([]);
    expect(textFields(schemas.report).length).toBeGreaterThan(50);
  });

  it('leaves nothing of any name, in any form and context', () => {
    const letters = fc.constantFrom(...'bcdfghjklmnpqrstvwxzäöüßéłøñçşžåœдмк田中');
    const name = fc
      .string({ unit: letters, minLength: 4, maxLength: 12 })
      .map((one) => one.charAt(0).toUpperCase() + one.slice(1));
    const around = fc.constantFrom(
      ...[' ', ',', '/', '-', '_', '.', ':', '=', '"', "'", '(', '<', '&', '%20', '+', '\n', '\\n', '@', '#', '?'],
      ...['[', '{', '', '…', '\u200b', ' --only ', ' --path ', '://', 'status ', ' ms', '0', 'a', 'The', '.de'],
    );
    const written = fc.constantFrom<(name: string) => string>(
      (one) => one,
      (one) => one.toUpperCase(),
      encodeURIComponent,
      (one) => JSON.stringify(JSON.stringify(one)),
      (one) => `${one}@${one.toLowerCase()}.de`,
      (one) => `https://${one}.de/${encodeURIComponent(one)}?of=${encodeURIComponent(one)}`,
      (one) => `x-${one}_${one}.${one}`,
    );
    fc.assert(
      fc.property(name, written, around, around, (one, write, before, after) => {
        const { report } = planted(callReport, before + write(one) + after);
        expect(find(anonymize(report), [one])).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves nothing of any phone number, in any grouping and context', () => {
    const digit = fc.integer({ min: 1, max: 8 }).map(String);
    const separator = fc.constantFrom(
      ...[' ', '-', '/', '–', '\u2011', '\u202f', '\u00a0', ' / ', ' - ', ') ', '\u200b'],
    );
    const groups = fc
      .array(fc.tuple(digit, fc.option(separator, { nil: '' })), { minLength: 9, maxLength: 13 })
      .map((all) => all.map(([one, after]) => one + after).join('') + '7');
    const start = fc.constantFrom('0', '+', '(0', '+49 (0) ', '0049 ', '00 ');
    const before = fc.constantFrom(
      ...['', ',', ': ', '=', '"', '(', '12:30 ', '2026-10-12 ', '1.2 ', 'Tel.', '\n', '://x/'],
    );
    const after = fc.constantFrom(
      ...['', ',', '.', '"', ')', ' ms', ' 09:30:01', ' at 5', '\n', '?', ' days', ' 2026-10-12'],
    );
    fc.assert(
      fc.property(start, groups, before, after, (first, rest, left, right) => {
        const { report } = planted(callReport, left + first + rest + right);
        const digits = text(anonymize(report)).replaceAll(/\\u[0-9a-f]{4}|[^\d\p{L}\n"]/giu, '');
        expect(digits).not.toContain(rest.replaceAll(/\D/g, ''));
      }),
      {
        numRuns: 100,
        // After a time, they look like its offset from UTC.
        examples: [
          ['+', '4930 111 1117', '12:30 ', ' ms'],
          ['+', '1415 555 0127', '12:30 ', ' ms'],
          ['+', '1415\u2011555\u20110127', '12:30 ', ' ms'],
        ],
      },
    );
  });

  it('leaves nothing of any number of five digits or more, unless it is a limit or an amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_101, max: 2_000_000_000 }), (number) => {
        fc.pre(!/^10+1?$|^9+$/.test(String(number)) && !isBound(number));
        const { report } = planted(callReport, `customer ${number}`);
        expect(find(anonymize(report), [` ${number}`])).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('gives equal values equal placeholders in bodies, addresses, headers, frames, messages and logs', () => {
    const [exchange] = cleanReport.exchanges;
    const [check] = cleanReport.checks;
    const person = '{"firstName":"Annegret","lastName":"Field","phoneNumber":"+494101592837","svcContactId":88213457}';
    const done = anonymize({
      ...cleanReport,
      exchanges: [
        {
          ...(exchange as Exchange),
          label: 'what Annegret wrote',
          request: {
            method: 'POST',
            url: 'https://crm.hydrotherm.de/c/88213457?name=Annegret%20Field&phone=%2B494101592837',
            headers: [['X-Caller', '0049 4101 592837']],
            body: person,
            bodyBytes: 90,
          },
        },
      ],
      checks: [{ ...check!, message: 'expected Annegret at crm.hydrotherm.de, received FIELD with 88213457' }],
      logs: [
        { at: cleanReport.startedAt, stream: 'stdout', text: 'annegret field (+49 4101 592837) at CRM.hydrotherm.de' },
      ],
    });
    const [{ request, label }] = done.exchanges as [Exchange];
    const { firstName, lastName, phoneNumber, svcContactId } = JSON.parse(request.body);
    expect([firstName, lastName]).toEqual(['Name-1', 'Name-2']);
    expect(phoneNumber).toMatch(/^\+999\d{9}$/);
    expect(svcContactId).toEqual(expect.any(Number));
    expect(request.url).toBe(
      `https://host-1.example/c/${svcContactId}?name=Name-1%20Name-2&phone=%2B${phoneNumber.slice(1)}`,
    );
    expect(request.headers[0]?.[1]?.replaceAll(' ', '')).toBe(phoneNumber.replace('+', '00'));
    expect(label).toBe('what Name-1 wrote');
    expect(done.checks[0]?.message).toBe(`expected Name-1 at host-1.example, received Name-2 with ${svcContactId}`);
    const logged = done.logs?.[0]?.text.replaceAll(/(?<=\d) (?=\d)/g, '');
    expect(logged).toBe(`Name-1 Name-2 (${phoneNumber}) at host-1.example`);
  });

  it('leaves other content readable: words, statuses, limits, this machine, times, ids of the tool', () => {
    const words = [
      'expected a 2xx status within 2000 ms, received 500 after 2304 ms',
      'expected at most 65536 bytes, received 70001 bytes',
      'expected text of at most 4000 characters, received 4001',
      'connection refused at http://127.0.0.1:8080/hooks after 2 ms',
      'ECONNREFUSED 127.0.0.1:40123',
      'at 2026-10-12T09:30:01.250Z with X-Svc-Signature t=1791797401',
      'Content-Type: application/json; charset=utf-8',
      'Bearer [redacted: chat.secret]',
      'closed by the AI with 1006',
      'What can you do? I want to speak to a person.',
      '<html><head><title>502 Bad Gateway</title></head><body><hr><center>nginx/1.25.3</center></body></html>',
      'links.txt line 3: svc://open/project?id=77',
      '[12/Oct/2026:09:30:01 +0000] "POST /crm HTTP/1.1" 200 512',
      '2026/10/12 09:30:01 [error] 31#31: upstream timed out',
      '{"level":50,"time":1791797401250,"msg":"request failed in 12.345678 ms"}',
      '{"duration":0.012345,"elapsedMs":12.345678,"rate":0.125,"time":1.0000}',
      'answered after 12304.55 ms, received 1 234 567 bytes',
      '09:30:01.123456 GET took 0.25 of 12.5 s',
      '52.52 13.40',
      '200 512.125, 512.125 200',
      'timeout of 12000ms, at 12.10.26 9:30',
      '10.0.0 rc 1',
      'POST /crm 200 5123 - 12.345 ms',
      'POST /crm 200 12.345 ms - 5123',
      '"POST /crm HTTP/1.1" 200 5123 0.012',
      'it may be that the page is a long one, and will do',
      'Mon, 12 Oct 2026 09:30:01 GMT',
      'npx svc-conform check --only crm-webhook/refuses-wrong-token --seed 1234567 --path 3:1:0',
    ];
    const [check] = cleanReport.checks;
    const report = { ...cleanReport, checks: words.map((message) => ({ ...check!, message })) };
    expect(anonymize(report).checks.map(({ message }) => message)).toEqual(words);
  });

  it('reports that a value is not a listed word, without the value', () => {
    const [check] = cleanReport.checks;
    const [exchange] = cleanReport.exchanges;
    const body = '{"action":"hangup","channel":"Wandsbek"}';
    const done = anonymize({
      ...cleanReport,
      exchanges: [{ ...(exchange as Exchange), request: { ...exchange!.request, body } }],
      checks: [{ ...check!, message: 'expected action to be one of none, handover, end, received "hangup"' }],
    });
    expect(done.exchanges[0]?.request.body).toMatch(/^\{"action":"hangup","channel":"word-\d+"\}$/);
    expect(done.checks[0]?.message).toBe('expected action to be one of none, handover, end, received "hangup"');
  });

  it('changes no verdict, count, time, size or reference', () => {
    const bare = (report: Report): unknown =>
      JSON.parse(text(report), (key, value: unknown) => (typeof value === 'string' && !kept.has(key) ? '' : value));
    const kept = new Set(
      'verdict id requirement title level startedAt at until state exchange part from by'.split(' '),
    );
    const withoutUrls = (report: Report) => ({ ...report, anonymized: undefined });
    expect(bare(withoutUrls(anonymize(fullReport)) as unknown as Report)).toEqual(
      bare(withoutUrls(fullReport) as unknown as Report),
    );
    const evidence = (report: Report) => report.checks.map((check) => [check.evidence, check.brokeAt, check.repeats]);
    expect(evidence(anonymize(fullReport))).toEqual(evidence(fullReport));
    expect(anonymize(fullReport).gate?.baseline?.new).toEqual(fullReport.gate?.baseline?.new);
  });

  it('keeps the form of a body, so that its faults stay visible', () => {
    const [exchange] = cleanReport.exchanges;
    const body = String.raw`{ "crmContactId" : 88213457, "id":1.0,"tags":[],"firstName":"\u004bl\u00f6ssowska","lastName":null,"firstName":"Zo\u00eb","n":-7e3}`;
    const done = anonymize({
      ...cleanReport,
      exchanges: [{ ...(exchange as Exchange), request: { ...exchange!.request, body } }],
    });
    expect(done.exchanges[0]?.request.body).toMatch(
      /^\{ "crmContactId" : 9\d{7}, "id":1\.0,"tags":\[\],"firstName":"Näme-1","lastName":null,"firstName":"Näme-2","n":-7e3\}$/,
    );
  });

  it.each([
    ['{"birthday":"2026-03-14, Annegret"}', /^\{"birthday":"19\d\d-\d\d-\d\d, word-\d+"\}$/],
    ['{"phone":"call me at +49 41 01 59 28 37"}', /^\{"phone":"call me at \+99 90 00 00 \d\d \d\d"\}$/],
    ['{svc} 41 01 59 28 37 is Annegret…', /^\{svc\} 99 90 \d\d \d\d \d\d is word-\d+…$/],
    ['{"firstName":"Annegret","text":"Anneg…', /^\{"firstName":"Name-1","text":"[Ww]ord-\d+…$/],
    ['{"names":["Annegret",["Kłosowska"]]}', /^\{"names":\["Name-1",\["Näme-2"\]\]\}$/],
    ['{"key":"wandsbek","name":"Sales for Wandsbek"}', /^\{"key":"skill-1","name":"Sales for skill-1"\}$/],
    ['{"id":"K-77","n":77}', /^\{"id":"id-1","n":77\}$/],
  ])('recognises the kind of a string by its field: %s', (body, expected) => {
    const [exchange] = cleanReport.exchanges as [Exchange];
    const done = anonymize({ ...cleanReport, exchanges: [{ ...exchange, request: { ...exchange.request, body } }] });
    expect(done.exchanges[0]?.request.body).toMatch(expected);
  });

  it.each([
    ['Mark, I will connect you', /^word-\d+, I will connect you$/],
    ['MARK! Max, may I?', /^word-\d+! word-\d+, may I\?$/],
    ['Yes. May, one moment', /^Yes\. word-\d+, one moment$/],
    ['August or June?', /^word-\d+ or word-\d+\?$/],
  ])('treats a word as a first name if a string begins with it: %s', (message, expected) => {
    const [check] = cleanReport.checks;
    const done = anonymize({ ...cleanReport, checks: [{ ...check!, message }] });
    expect(done.checks[0]?.message).toMatch(expected);
  });

  it('recognises a known name in any letter case, and keeps the field names of the interface', () => {
    const [exchange] = cleanReport.exchanges as [Exchange];
    const [check] = cleanReport.checks;
    const body = '{"firstName":"Mark","lastName":"Text","middleName":"Null","text":null,"rooms":53.657213}';
    const other = '{"level":"error","name":"Error","contact":{"name":"May Ruby"}}';
    const done = anonymize({
      ...cleanReport,
      exchanges: [{ ...exchange, request: { ...exchange.request, body } }],
      checks: [
        {
          ...check!,
          message: 'an error: expected mark at MARK',
          brokeAt: { exchange: exchange.id, part: 'request-body', pointer: '/text' },
        },
      ],
      logs: ['lookup of mark_text, then mark', other, 'ruby error: it may be'].map((line) => ({
        at: cleanReport.startedAt,
        stream: 'stdout',
        text: line,
      })),
    });
    expect(done.exchanges[0]?.request.body).toEqual(
      expect.stringMatching(
        /^\{"firstName":"Name-1","lastName":"Name-2","middleName":"Name-3","text":null,"word-\d+":53\.9\d{5}\}$/,
      ),
    );
    expect(done.checks[0]?.message).toBe('an error: expected Name-1 at Name-1');
    expect(done.checks[0]?.brokeAt).toMatchObject({ pointer: '/text' });
    expect(done.logs?.[0]?.text).toBe('lookup of Name-1_Name-2, then Name-1');
    expect(done.logs?.[2]?.text).toMatch(/^Name-\d error: it may be$/);
  });

  it('replaces a host before the place from which it is known', () => {
    const [exchange] = cleanReport.exchanges as [Exchange];
    const done = anonymize({
      ...cleanReport,
      exchanges: [
        { ...exchange, detail: 'getaddrinfo ENOTFOUND crm-endpoint' },
        { ...exchange, id: 'ex-2', request: { ...exchange.request, url: 'http://crm-endpoint:8080/crm' } },
      ],
    });
    expect(done.exchanges[0]?.detail).toBe('getaddrinfo ENOTFOUND host-1.example');
    expect(done.exchanges[1]?.request.url).toBe('http://host-1.example:8080/crm');
  });

  it('points to the same place of a body with renamed fields', () => {
    const [exchange] = cleanReport.exchanges;
    const [check] = cleanReport.checks;
    const done = anonymize({
      ...cleanReport,
      exchanges: [
        { ...(exchange as Exchange), request: { ...exchange!.request, body: '{"metadata":{"kundeWandsbek":"x"}}' } },
      ],
      checks: [{ ...check!, brokeAt: { exchange: 'ex-1', part: 'request-body', pointer: '/metadata/kundeWandsbek' } }],
    });
    const [field] = Object.keys(JSON.parse(done.exchanges[0]!.request.body).metadata);
    expect(field).not.toContain('andsbek');
    expect(done.checks[0]?.brokeAt).toMatchObject({ pointer: `/metadata/${field}` });
  });

  it.each([
    ['clean', cleanReport],
    ['many failures', manyFailuresReport],
    ['hostile', hostileReport],
    ['call', callReport],
    ['hostile call', hostileCallReport],
    ['full', fullReport],
  ])('of %s, gives a report that matches the schema and that every writer accepts', (_, report) => {
    const done = anonymize(report);
    expect(validate('report', JSON.parse(text(done)))).toEqual([]);
    expect(done.anonymized).toBe(true);
    for (const { files } of Object.values(formats)) {
      for (const write of Object.values<(report: Report, options: object) => string>(files)) {
        expect(write(done, {}) === '').toBe(write(report, {}) === '');
      }
    }
    expect(renderTerminal(done, { colour: false })).toContain(done.checks[0]?.surface);
  });

  it('does nothing to a report that is anonymised already', () => {
    const done = anonymize(fullReport);
    expect(anonymize(done)).toBe(done);
  });

  it('does not change its argument', () => {
    const before = text(fullReport);
    anonymize(fullReport);
    expect(text(fullReport)).toBe(before);
  });
});

/** Names of the fields for which the schema accepts any string. */
function textFields(schema: unknown, name = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, enum: listed, const: only, format } = schema as JsonSchema;
  const own = type === 'string' && !listed && only === undefined && format === undefined ? [name] : [];
  return [
    ...own,
    ...Object.entries(schema).flatMap(([key, part]: [string, unknown]) =>
      key === 'properties' || key === '$defs'
        ? Object.entries(part as object).flatMap(([field, one]) =>
            textFields(one, field.charAt(0).toLowerCase() + field.slice(1)),
          )
        : textFields(part, name),
    ),
  ];
}

function isBound(number: number): boolean {
  return [-1, 0, 1].some(
    (by) => Number.isInteger(Math.log2(number + by)) || [30_000, 60_000, 300_000, 65_536].includes(number + by),
  );
}
