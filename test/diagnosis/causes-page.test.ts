import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { causes } from '../../diagnosis/causes.ts';
import type { Cause, SnippetTopic } from '../../diagnosis/cause.ts';
import { selectSnippets } from '../../diagnosis/select-snippets.ts';
import { anchorOf, causesPage, frameworkPages, snippetsPage } from '../../scripts/causes-page.ts';
import { frameworks } from '../../diagnosis/snippet-code.ts';
import { topics } from '../../scripts/causes-page-words.ts';
import { order as sections } from '../../scripts/service-page.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';

const all: [string, Cause][] = Object.entries(causes);

const made: Readonly<Record<string, string>> = {
  'causes.md': await causesPage(),
  'snippets.md': await snippetsPage(),
  ...Object.fromEntries(
    await Promise.all(Object.entries(frameworkPages).map(async ([path, page]) => [path, await page()] as const)),
  ),
};
const headings = (page: string) =>
  [...page.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, summary = '']) =>
    anchorOf(summary.replaceAll('\\', '')),
  );

describe('docs', () => {
  it('have no two headings with the same anchor, and no link without a heading', () => {
    for (const [path, page] of Object.entries(made)) {
      expect(headings(page), path).toHaveLength(new Set(headings(page)).size);
      const links = [...page.matchAll(/\]\(([\w./]*)#([^)]+)\)/g)];
      if (!path.includes('/')) expect(links.length, path).toBeGreaterThanOrEqual(Object.keys(topics).length);
      for (const [link, to, anchor] of links)
        expect(headings(made[to === '' ? path : (to ?? '')] ?? ''), link).toContain(anchor);
    }
  });
});

describe('every cause', () => {
  it('is described in complete sentences, under a heading of the interface document', () => {
    const wrong = all.flatMap(([id, cause]) => {
      const { symptom, summary, detection, remediation, section, surfaces } = cause;
      const texts = [symptom, summary, detection, remediation].filter(
        (one) => !/^(?:[\p{Lu}\d"“]|[a-z]+[A-Z]|t ).*[.!?][”"]?$/u.test(one) || /[\n`]|\.\.\.| {2}/.test(one),
      );
      return [
        ...(/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/.test(id) ? [] : [`${id}: not an id`]),
        ...texts.map((one) => `${id}: ${one}`),
        ...(sections.includes(section) ? [] : [`${id}: no section is called ${section}`]),
        ...(surfaces.length > 0 ? [] : [`${id}: no surface`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('has a unique summary', () => {
    const texts = all.map(([, { summary }]) => summary);
    expect(texts.filter((summary, at) => texts.indexOf(summary) !== at)).toEqual([]);
  });
});

/** Surfaces whose requests the code of a topic verifies or reads. */
const written: Readonly<Record<SnippetTopic, readonly DiagnosedSurface[]>> = {
  'verify-signature': ['own-ai-chat', 'api-webhooks'],
  'verify-call': ['own-ai-phone'],
  'check-token': ['crm-webhook'],
  'answer-in-time': ['crm-webhook'],
  'call-back-once': ['crm-webhook'],
  'reply-later': ['own-ai-chat'],
  deduplicate: ['api-webhooks'],
  'accept-any-event': ['crm-webhook'],
  'answer-json': ['own-ai-chat'],
  'stream-phone-answers': ['own-ai-phone'],
};

describe('snippets', () => {
  it.each(Object.keys(topics))('%s exist for every framework, and no others', async (topic) => {
    const files = await readdir(new URL(`../../diagnosis/snippets/${topic}/`, import.meta.url));
    expect(files.toSorted()).toEqual(
      Object.values(frameworks)
        .map(({ file }) => file)
        .toSorted(),
    );
  });

  it('cover every topic that a cause refers to', () => {
    const used = new Set(all.flatMap(([, cause]) => [...selectSnippets(cause).keys()]));
    expect([...used].toSorted()).toEqual(Object.keys(topics).toSorted());
  });

  it('appear only on the surfaces that their code is for', () => {
    const wrong = all.flatMap(([id, cause]) =>
      [...selectSnippets(cause)].flatMap(([topic, surfaces]) =>
        surfaces.filter((surface) => !written[topic].includes(surface)).map((on) => `${id}: ${topic} on ${on}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('have separate code for each surface of a cause', () => {
    expect([...selectSnippets(causes['callback/never-sent'])]).toEqual([
      ['call-back-once', ['crm-webhook']],
      ['reply-later', ['own-ai-chat']],
    ]);
    const [line = ''] = /^- \*\*Code:.*$/m.exec(made['causes.md']?.split('### signature/clock-off')[1] ?? '') ?? [];
    expect(line).toMatch(
      /verify-a-signature\) \(`api-webhooks`, `own-ai-chat`\), .*verify-a-phone-call\) \(`own-ai-phone`\)$/,
    );
    expect(selectSnippets({ surfaces: ['api-webhooks'], snippet: 'answer-json' }).size).toBe(0);
  });
});
