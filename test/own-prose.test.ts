import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Names of values that are sentences for people. */
const prose =
  '(?:message|hint|reason|summary|title|statement|remediation|sentence|expected|received|detail|skipped|words|note|why)';
const searches = '(?:includes|startsWith|endsWith|split|match|matchAll|search|indexOf|lastIndexOf|replace|replaceAll)';

/**
 * Code that decides on a sentence: searches or changes it, matches it with a pattern, or compares it with several
 * words.
 */
const patterns: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:${prose}|label)[?!]?\.${searches}\(`),
  new RegExp(String.raw`\.(?:test|exec)\((?:[\w.?!]+\.)?${prose}\b`),
  new RegExp(String.raw`\b${prose} [!=]== (['"\`])[^'"\`]* [^'"\`]*\1`),
];

/** Allowed lines among those that the patterns find: they decide on foreign text, or have no alternative. */
const allowed: Readonly<Record<string, string>> = {
  // Messages of other programs and libraries.
  "harness/config/config-file.ts: if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(": 'message of Node',
  "harness/config/config-file.ts: const [first = ''] = message.split(": 'message of a parser',
  'harness/wire/resource-limits.ts: const code = ': 'message of Node',
  'harness/container/tested-container.ts: return ': 'message of testcontainers',
  'harness/wire/client-certificate.ts: const [, alert = ': 'message of OpenSSL',
  'diagnosis/stages/judge-malformed.ts: if (bytes !== ': 'message of the HTTP parser',
  'diagnosis/stages/judge-upgrade.ts: const broken = brokenHandshakes': 'message of the WebSocket library',
  'diagnosis/phone/diagnose-upgrade.ts: if (refused.answer.outcome': 'message of the WebSocket library',
  'diagnosis/phone/diagnose-upgrade.ts: return isConnected(answer)': 'message of the WebSocket library',
  'contracts/mismatch-finding.ts: const text = received.replace(': 'message of Pact',
  'contracts/body-findings.ts: const steps = ': 'message of the comparator',
  'contracts/body-findings.ts: words: message.replace(': 'message of the comparator',
  'generators/schema-diff/compare-open-api.ts: const key = title.replaceAll(': 'title in a document',
  'generators/schema-diff/compare-schemas.ts: const named = label.split(': 'title in a document',
  'generators/readable-example.ts: const fitting = label.split(': 'title in a document',
  // Values of the user, and words of a command.
  'harness/config/config-problems.ts: return isShown ? received': 'value in a config',
  'harness/container/container-address.ts: const wrong = named.find(': 'address in a config',
  'run/config/report-command.ts: return words.slice(words.indexOf(': 'words of a command',
  'run/replay/replay-checks.ts: const valueOf = ': 'words of a command',
  'run/replay/replay-checks.ts: ...(words.includes(': 'words of a command',
  'reports/write/html/script.ts: words.replace(': 'words of a search',
  'reports/write/html/script.ts: if (!one.words.includes(words))': 'words of a search',
  "entry/suite.ts: if (typeof title !== 'string' || ": 'title of a check of an integrator',
  // Only the form of a message depends on it.
  'specs/faults/file-faults.ts: message: ': 'full stop',
  'diagnosis/stages/judge-answer.ts: const text = ': 'full stop',
  'reports/text/run-notes.ts: return ': 'full stop',
  'reports/write/sarif/render-sarif.ts: const text = sentences.map(': 'full stop',
  'reports/text/describe-entry.ts: const shown = received.endsWith(place)':
    'does not repeat the address of the evidence',
  'reports/write/terminal/terminal-finding.ts: const shown = detail': 'does not repeat what the message shows',
  'reports/write/terminal/terminal-finding.ts: const [head = ': 'line break',
  'reports/write/terminal/terminal-finding.ts: const line = message.includes(':
    'does not repeat what the message shows',
  'service/own-ai-chat.ts: const text = status === undefined': 'does not repeat the status',
  // Vitest passes on only the message of an assertion.
  'harness/checks/check.ts: if (isOwn && isAssertion(error)': 'assertion of an integrator',
};

async function findDecisions(): Promise<string[]> {
  const found: string[] = [];
  const directories =
    'bin,contracts,diagnosis,entry,fleet,generators,harness,load,reports,run,service,simulate,specs,suites';
  for await (const path of glob(`{${directories}}/**/*.ts`, { cwd: root })) {
    const lines = (await readFile(`${root}/${path}`, 'utf8')).split('\n');
    const deciding = lines.filter((line) => patterns.some((pattern) => pattern.test(line)));
    found.push(...deciding.map((line) => `${path}: ${line.trim()}`));
  }
  return found.sort();
}

it.each([
  "if (check.message?.startsWith('The check did not complete')) return check;",
  "if (/^exactly one of/.test(violation.expected)) return 'none';",
  "if (expected === 'no such field') return expected;",
  "const label = options.label.replace(/(?:, sent again)?$/, ', sent again');",
  "const why = reason.replace(/(?<=nothing shows that )\\S+/, 'its host');",
])('finds %s', (line) => {
  expect(patterns.some((pattern) => pattern.test(line))).toBe(true);
});

it('no code decides on the text of our own messages', async () => {
  const found = await findDecisions();
  const isAllowed = (line: string) => Object.keys(allowed).some((start) => line.startsWith(start));
  expect(found.filter((line) => !isAllowed(line))).toEqual([]);
  const stale = Object.keys(allowed).filter((start) => !found.some((line) => line.startsWith(start)));
  expect(stale).toEqual([]);
});
