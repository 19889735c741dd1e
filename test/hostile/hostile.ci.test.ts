import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../bin/run-command.ts';
import { chromiumPath, launchChromium, openWatched, unfoldAll } from '../chromium.ts';
import { everyHostile } from './every-hostile.ts';
import { hostileSample } from './hostile-sample.ts';
import { testHostile, type Runs } from './test-hostile.ts';

/** The same mechanisms on another surface or at another size. */
const siblings: ReadonlySet<string> = new Set([
  'crm-endless',
  'chat-trickling',
  'crm-endless-headers',
  'chat-endless-chunk',
  'chat-array-300-kb',
  'chat-string',
  'crm-number',
  'chat-number',
  'crm-null',
  'chat-empty-objects',
  'crm-array-30000-levels',
  'chat-array-30000-levels',
  'crm-array-100000-levels',
  'chat-object-30000-levels',
  'crm-wide-64-mb',
  'chat-wide-64-mb',
  'chat-wide-8-mb',
  'crm-gzip-bomb',
  'chat-nested-bomb',
  'crm-deflate-bomb',
  'chat-deflate-bomb',
  'chat-brotli-bomb',
  'tls-garbage',
  'tls-alert',
  'tls-http2-pings',
  'tls-http2-go-away',
  'phone-pong-flood',
  'phone-close-of-one-byte',
  'phone-fragmented-ping',
  'phone-masked-frame',
  'phone-unknown-opcode',
  'phone-message-within-a-message',
  'phone-close-reason-not-utf-8',
  'upgrade-subprotocol',
  'upgrade-http2',
  'upgrade-frames-first',
  'crm-continue-flood',
  'callback-two-lengths',
  'crm-chunk-size',
  'crm-half-closed-in-the-body',
  'reply-deep',
  'phone-prototype-keys',
]);

/** Further ones that would make CI long. All with secrets or markup run, and some of each protocol and of each way back. */
const notInCi: readonly string[] = [
  'crm-array-300-kb',
  'crm-string',
  'crm-object-30000-levels',
  'callback-unfinished',
  'callback-deep',
  'callback-to-wrong-paths',
  'callbacks-without-number',
  'callback-endless',
  'callback-endless-headers',
  'callback-not-http',
  'callback-half-closed',
  'phone-unknown-frames',
  'crm-reset-in-the-body',
  'crm-two-lengths',
  'crm-continue',
  'crm-switching-protocols',
  'upgrade-two-answers',
  'crm-prototype-keys',
  'tls-many-names',
  'tls-http2-only',
  'tls-http2-continuations',
  'tls-cut-off',
  'phone-long-control-frame',
  'phone-continuation-of-nothing',
  'phone-close-with-1006',
  'phone-http-again',
  'phone-empty-fragments',
  'phone-speaks-after-closing',
  'phone-trickling-frame',
  'upgrade-extension',
  'upgrade-endless-headers',
  'callback-64-mb',
  'crm-empty-objects',
  'chat-gzip-bomb',
  'callback-idle-connections',
  'crm-half-closed',
  'chat-null',
  'phone-reserved-bit',
  'crm-redirect-to-itself',
  'crm-no-http',
  'replies-to-wrong-paths',
  'crm-short-body',
  'reply-endless',
  'chat-endless-headers',
  'crm-endless-chunk',
  'phone-wide-frames',
  'tls-plain-http',
  'tls-broken-records',
  'tls-alert-flood',
  'tls-http2-settings',
  'upgrade-wrong-accept',
  'phone-ping-flood',
  'phone-impossible-length',
];

/** `HOSTILE=all npm run test:ci -- test/hostile` runs every endpoint. */
const isWhole = process.env['HOSTILE'] === 'all';
const others = everyHostile.filter(({ name }) => !hostileSample.includes(name));
const left = isWhole ? others : others.filter(({ name }) => !siblings.has(name) && !notInCi.includes(name));
let runs: Runs = new Map();

it('omits only endpoints that exist', () => {
  const names = new Set(everyHostile.map(({ name }) => name));
  expect([...siblings, ...notInCi].filter((name) => !names.has(name))).toEqual([]);
});

describe('an endpoint that exhausts, breaks or deceives its reader', () => {
  runs = testHostile(left);
});

describe.skipIf(chromiumPath === undefined)(
  'the page about such an endpoint, in Chromium',
  { concurrent: true },
  () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchChromium();
      return () => browser.close();
    });

    it.each(left.map(({ name }) => [name]))(
      '%s: runs no script of it, sends nothing and opens no dialog',
      async (name) => {
        const run = await runs.get(name)?.promise;
        await using directory = await temporaryDirectory();
        const file = directory.at('report.html');
        await writeFile(file, run?.files['report.html'] ?? '');
        await using opened = await openWatched(browser, pathToFileURL(file).href);
        const { page, trouble } = opened;
        const title = await page.title();
        const more = page.locator('#further-more');
        if (await more.isVisible()) await more.click();
        await unfoldAll(page);
        for (const field of await page.locator('input[type=search]').all()) {
          if (await field.isVisible()) await field.fill('a');
        }
        expect(trouble).toEqual([]);
        expect(await page.title()).toBe(title);
        expect(await page.locator('img, iframe, object, embed, link').count()).toBe(0);
      },
    );
  },
);
