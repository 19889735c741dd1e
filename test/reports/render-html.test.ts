import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import { escapeHtml, html } from '../../reports/write/html/markup.ts';
import { style } from '../../reports/write/html/style.ts';
import { median } from '../../reports/write/html/timings-section.ts';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import type { Exchange, Report } from '../../specs/generated/types.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';
import type { Element } from './parse-html.ts';
import {
  cascadeReport,
  cascadeRun,
  check,
  callReport,
  cleanReport,
  cleanRun,
  hostile,
  hostileCallReport,
  hostileReport,
  hostileText,
  manyFailuresReport,
  oneFailureReport,
  sampleCatalogue,
} from './sample-report.ts';

const reports: readonly (readonly [string, Report])[] = [
  ['clean', cleanReport],
  ['one-failure', oneFailureReport],
  ['many-failures', manyFailuresReport],
  ['hostile', hostileReport],
  ['call', callReport],
  ['hostile-call', hostileCallReport],
];

const named = (page: Element, name: string) => elements(page).filter((element) => element.name === name);
const only = (found: readonly Element[]): Element => {
  expect(found).toHaveLength(1);
  return found[0] as Element;
};

describe.each(reports)('%s', (name, report) => {
  const source = renderHtml(report);
  const page = parseHtml(source);

  test('has the structure of its golden file', async () => {
    const heading = (element: Element) => `${'  '.repeat(Number(element.name[1]) - 1)}${textOf(element)}`;
    const row = (element: Element) => `        | ${cellsOf(element).map(textOf).join(' | ')}`;
    const outline = elements(page)
      .filter((element) => /^(h[1-6]|tr)$/.test(element.name))
      .map((element) => (element.name === 'tr' ? row(element) : heading(element)));
    await expect(`${outline.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.outline.txt`);
  });

  test('admits only its own style and script, and sends no requests', () => {
    const policy = only(
      named(page, 'meta').filter(({ attributes }) => attributes.get('http-equiv') === 'Content-Security-Policy'),
    );
    const hash = (tag: string) =>
      `'sha256-${createHash('sha256')
        .update(only(named(page, tag)).children.map(String).join(''))
        .digest('base64')}'`;
    expect(policy.attributes.get('content')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hash('style')}`,
      `script-src ${hash('script')}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(source.indexOf('http-equiv')).toBeLessThan(source.indexOf('<style'));
    const used = new Set(elements(page).flatMap(({ attributes }) => [...attributes.keys()]));
    expect([...used].filter((one) => /^on|^(src|srcset|action|formaction|style|data|poster|xlink)$/.test(one))).toEqual(
      [],
    );
    expect(style).not.toMatch(/url\(|@import/);
  });

  test('has the time of the run and a number on each printed page', () => {
    const margins = (startedAt: string) =>
      /@page \{[^]*?\}\n\}/.exec(renderHtml({ ...oneFailureReport, startedAt, seed: 42 }))?.[0];
    expect(margins('2026-10-12T09:30:00.000Z')).toContain('report of 2026-10-12T09:30:00.000Z, seed 42"');
    expect(margins('2026")</style>}')).toContain('report of 2026style, seed 42"');
    expect(margins('2026')).toContain('counter(page)');
  });

  test('contains no element or attribute from outside strings', () => {
    const foreign = elements(page).filter(({ name: tag }) => ['img', 'iframe', 'object', 'link', 'base'].includes(tag));
    expect(foreign).toEqual([]);
    only(named(page, 'script'));
    only(named(page, 'style'));
    // eslint-disable-next-line no-control-regex -- it matches control characters
    const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
    expect(source).not.toMatch(acting);
  });

  test('links only to its own anchors, each present once', () => {
    const ids = elements(page).flatMap(({ attributes }) => attributes.get('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const links = named(page, 'a').map(({ attributes }) => attributes.get('href') ?? '');
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !ids.includes(link.slice(1)) || !link.startsWith('#'))).toEqual([]);
  });

  test('has one h1 and skips no level', () => {
    const levels = elements(page)
      .filter((element) => /^h[1-6]$/.test(element.name))
      .map((element) => Number(element.name[1]));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    const skipping = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
    expect(skipping).toEqual([]);
  });

  test('gives every table header a scope and every row a verdict in words', () => {
    expect(named(page, 'th').filter(({ attributes }) => !attributes.has('scope'))).toEqual([]);
    const rows = named(page, 'tr').filter(({ attributes }) => attributes.has('data-outcome'));
    expect(rows).toHaveLength(report.requirements.filter(({ notJudged }) => notJudged !== 'not-configured').length);
    const words = /fails|blocked|warning|advice|passes|not (exercised|observable|selected|applicable)/;
    expect(rows.filter((row) => !words.test(textOf(cellsOf(row)[0] as Element)))).toEqual([]);
  });

  test('shows every exchange behind its evidence', () => {
    const anchors = elements(page).filter(({ attributes }) => attributes.get('id')?.startsWith('exchange-'));
    expect(anchors).toHaveLength(report.exchanges.length);
  });
});

function cellsOf(row: Element): Element[] {
  return row.children.filter((child) => typeof child !== 'string');
}

test('shows hostile text as it was sent, controls made visible', () => {
  const text = textOf(parseHtml(renderHtml(hostileReport)));
  for (const piece of [hostile.scriptEnd, hostile.attribute, hostile.tag, hostile.comment, hostile.style]) {
    expect(text).toContain(piece);
  }
  for (const code of ['U+001B', 'U+009B', 'U+202E', 'U+2066', 'U+200B', 'U+0000', 'U+000D']) {
    expect(text).toContain(`⟨${code}⟩`);
  }
});

test('shows every failing check of a requirement, with its evidence and its own smallest event', () => {
  const counterexample = { seed: 1, path: '0', runs: 1, shrinks: 0, event: '{"only":"here"}', differences: [] };
  const second = { id: 'second', title: 'the second', message: 'second message', reproduce: 'again second' };
  const run = {
    ...cleanRun,
    checks: [
      check('crm-webhook/refuses-wrong-token', 'fail', { message: 'first message' }),
      check('crm-webhook/refuses-wrong-token', 'fail', { ...second, evidence: ['ex-1'], counterexample }),
      check('crm-webhook/refuses-wrong-token', 'blocked', { id: 'third', message: 'third message' }),
    ],
  };
  const page = parseHtml(renderHtml(buildReport(run, sampleCatalogue)));
  const finding = textOf(only(elements(page).filter(({ attributes }) => attributes.get('id') === 'finding-1')));
  for (const phrase of ['first message', 'second message', 'again second', 'ex-1', '"only": "here"']) {
    expect(finding).toContain(phrase);
  }
  const requirements = only(elements(page).filter(({ attributes }) => attributes.get('id') === 'requirements'));
  expect(textOf(requirements)).toContain('third message');
});

describe('failures with one answer', () => {
  const page = parseHtml(renderHtml(cascadeReport));
  const articles = named(page, 'article').map(textOf);

  test('are all there, the basic one first and shown in full', () => {
    expect(articles).toHaveLength(4);
    expect(articles[0]).toContain('crm-webhook/accepts-the-token');
    expect(articles[0]).toContain('also fails 3 requirements (same answer, so probably the same cause)');
    for (const { id, verdict } of cascadeReport.requirements) {
      expect(articles.filter((text) => text.includes(id))).toHaveLength(verdict === 'fail' ? 1 : 0);
    }
  });
});

test('failures with the same cause have their own evidence and counterexamples', () => {
  const counterexample = { seed: 1, path: '0', runs: 3, shrinks: 1, event: '{"only":"here"}', differences: [] };
  const checks = cascadeRun.checks.map((one) =>
    one.requirement === 'crm-webhook/accepts-null-members' ? { ...one, counterexample } : one,
  );
  const page = parseHtml(renderHtml(buildReport({ ...cascadeRun, checks })));
  const row = only(named(page, 'li').filter((one) => textOf(one).includes('"here"')));
  expect(textOf(row)).toContain('crm-webhook/accepts-null-members');
  expect(textOf(row)).toContain('expected a 2xx status, received status 500');
  expect(named(row, 'summary').map(textOf)).toContainEqual(expect.stringContaining('ex-1'));
});

test('a blocked requirement that leads has a card to which its row links', () => {
  const checks = [check('own-ai-chat/refuses-altered-body', 'blocked', { message: 'not judged' })];
  const page = parseHtml(renderHtml(buildReport({ ...cleanRun, checks }, sampleCatalogue)));
  const id = only(named(page, 'article')).attributes.get('id');
  expect(id).toBeDefined();
  expect(named(page, 'a').map(({ attributes }) => attributes.get('href'))).toContain(`#${id}`);
});

describe('a failing call', () => {
  const page = parseHtml(renderHtml(callReport));
  const articles = named(page, 'article');
  const withClass = (element: Element, name: string) =>
    elements(element).filter(({ attributes }) => attributes.get('class') === name);

  test('is shown in its finding, the break marked in words, with a link to every frame', () => {
    const [article] = articles;
    const broken = withClass(only(articles.slice(0, 1)), 'broke');
    expect(broken.map(textOf)).toEqual([
      '270 ms AI says “we rest, ” ✗ failed here: expected no more of the old answer after an interruption, received no more of the old answer after an interruption',
    ]);
    expect(article && textOf(article)).toContain('All frames: ex-1');
  });

  test('without a frame that broke is shown to its end', () => {
    const article = only(articles.slice(1, 2));
    expect(withClass(article, 'broke')).toEqual([]);
    expect(textOf(article)).toContain('drops the connection without closing it (1006)');
    expect(textOf(article)).toContain('Smallest failing dialogue');
  });

  test('is whole in the evidence, with the breaks of all rules, the upgrade, and its frames folded away', () => {
    const exchange = only(elements(page).filter(({ attributes }) => attributes.get('id') === 'exchange-1'));
    const text = textOf(exchange);
    for (const phrase of ['failed here: own-ai-phone/stops-at-interrupt', 'failed here: own-ai-phone/frame-is-json']) {
      expect(text).toContain(phrase);
    }
    expect(text).toContain('Upgrade GET ws://127.0.0.1:8080/voice');
    const frames = only(named(exchange, 'details'));
    expect(frames.attributes.has('open')).toBe(false);
    expect(textOf(frames)).toContain('{"type":"dtmf","digit":"5"}');
  });

  test('shows how many frames it omits', () => {
    expect(textOf(parseHtml(renderHtml(hostileCallReport)))).toContain('28 frames as on the wire; 200 more omitted');
  });
});

test('of many calls, the first ones are listed and the others folded', () => {
  const call = callReport.exchanges.find(({ kind }) => kind === 'call');
  const exchanges = Array.from({ length: 8 }, (_, at) => ({ ...call, id: `ex-${at + 100}` }) as Exchange);
  const page = parseHtml(renderHtml({ ...callReport, exchanges }));
  const section = only(elements(page).filter(({ attributes }) => attributes.get('id') === 'calls'));
  const [shown, folded] = elements(section).filter(({ attributes }) => attributes.get('class') === 'exchanges');
  expect(textOf(section)).toContain('2 more calls');
  const calls = (list: Element | undefined) => list?.children.filter((one) => typeof one !== 'string');
  expect(calls(shown)).toHaveLength(6);
  expect(calls(folded)).toHaveLength(2);
});

test('a surface that was not selected is one line and a folded table, no card', () => {
  const page = parseHtml(renderHtml(oneFailureReport));
  const cards = elements(page).filter(({ attributes }) => attributes.get('class') === 'card');
  expect(cards.map((card) => textOf(only(named(card, 'h3'))))).toEqual(['own-ai-chat']);
  expect(textOf(page)).toContain('Not selected in this run: crm-webhook, api-webhooks');
  const folded = elements(page).filter(({ attributes }) => attributes.get('class') === 'folded');
  expect(folded.map((details) => textOf(named(details, 'summary')[0] as Element))).toEqual([
    'not selected in this run',
    'not selected in this run',
    '1 not judged',
    '1 passed',
  ]);
});

test('unobservable requirements are separate from those not exercised', () => {
  const page = parseHtml(renderHtml(cleanReport));
  const counts = only(
    elements(page).filter(({ attributes }) => attributes.get('aria-label') === 'Requirements by verdict'),
  );
  expect(textOf(counts)).toContain('2 not exercised ○ 1 not observable · 1 not applicable');
});

test('renders a stored report that the schema would refuse', () => {
  const exchanges = hostileReport.exchanges.map((exchange) => ({ ...exchange, startedAt: hostileText }));
  const report = { ...hostileReport, startedAt: hostileText, exchanges };
  expect(() => parseHtml(renderHtml(report))).not.toThrow();
});

test('a partial run says so above everything', () => {
  expect(textOf(parseHtml(renderHtml(oneFailureReport)))).toContain('Only these surfaces were run: own-ai-chat.');
});

test('text is escaped wherever a template puts it', () => {
  const text = `<a b="c" d='e'>&\``;
  expect(html`<p title="${text}">${[text, 1, undefined, false]}</p>`.source).toBe(
    `<p title="${escapeHtml(text)}">${escapeHtml(text)}1</p>`,
  );
  expect(escapeHtml(text)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;&#96;');
});

test.each([...`&<>"'\``, '\u0000', '\u001b', '\u007f', '\u202e', '\ud800'])('%j alone is escaped', (sign) => {
  expect(escapeHtml(sign)).toMatch(/^(&[#\w]+;|⟨U\+[0-9A-F]+⟩)$/);
});

test.each([
  [[3], 3],
  [[1, 2, 9], 2],
  [[1, 2, 4, 9], 3],
])('the median of %j is %d', (samples, expected) => {
  expect(median(samples)).toBe(expected);
});

describe('contrast', () => {
  const schemes = [...style.matchAll(/--ground: [^}]*/g)].map(
    ([block]) => new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, key, value]) => [key, value])),
  );
  const texts = ['text', 'quiet', 'link', 'fail', 'warn', 'advice', 'pass', 'grey'];

  test('is measured in both schemes', () => {
    expect(schemes).toHaveLength(2);
  });

  test.each(
    schemes.flatMap((scheme, index) => texts.map((text) => [index === 0 ? 'light' : 'dark', text, scheme] as const)),
  )('%s: %s is readable on both grounds', (_, text, scheme) => {
    for (const ground of ['ground', 'raised']) {
      expect(contrast(scheme.get(text) ?? '', scheme.get(ground) ?? '')).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** Contrast ratio of WCAG 2 between two colours. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
