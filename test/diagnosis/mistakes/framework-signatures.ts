import type { CauseId } from '../../../diagnosis/causes.ts';
import { mistakesOfGroup } from './framework-endpoint.ts';
import type { Mistake } from './mistake.ts';

const of = mistakesOfGroup('scheme');

const clock = { group: 'clock' } as const;
/**
 * Whether a valid signature is accepted depends on the part of the second, so it looks like chance; instances that take
 * turns look the same.
 */
const byChance: readonly CauseId[] = ['signature/not-always-the-same', 'payload/at-random'];
const expressAge = 'Math.abs(Date.now() / 1000 - Number(t)) > 300';
const pythonAge = 'abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS';
const phpAge = 'abs(time() - (int) $t) > TOLERANCE_SECONDS';
const phpContent = `$t . '.' . $content`;
const phpSecret = `getenv($path === '/hooks' ? 'HOOK_SECRET' : 'AGENT_SECRET')`;

/** Times that are compared incorrectly, each with a look-alike. */
export const clocksInFrameworks: readonly Mistake[] = [
  of(
    'php',
    'date() has to return the same minute',
    ['signature/window-too-tight'],
    [[phpAge, `date('YmdHi', (int) $t) !== date('YmdHi')`]],
    clock,
  ),
  of(
    'python-http-server',
    'at most four minutes apart, counted in minutes',
    ['signature/window-too-tight'],
    [[pythonAge, 'abs(int(time.time()) // 60 - int(timestamp) // 60) >= 5']],
    clock,
  ),
  of(
    'express',
    'half a second, because the tolerance is in milliseconds',
    ['signature/window-too-tight'],
    [[expressAge, 'Math.abs(Date.now() - Number(t) * 1000) > 500']],
    { ...clock, surface: 'api-webhooks', symptoms: byChance },
  ),
  of(
    'hono',
    'three tenths of a second',
    ['signature/window-too-tight', 'signature/window-in-wrong-unit'],
    [['Math.abs(Date.now() / 1000 - Number(t)) > 300', 'Math.abs(Date.now() - Number(t) * 1000) > 300']],
    { ...clock, symptoms: byChance },
  ),
  // These look like the ones above: valid signatures are refused because of the time.
  of(
    'python-aiohttp',
    'datetime.utcnow() is interpreted as local time',
    ['signature/time-zone'],
    [
      ['import time\n', 'import time\nfrom datetime import datetime\n'],
      ['log = logging', 'os.environ["TZ"] = "Europe/Berlin"\ntime.tzset()\nlog = logging'],
      ['abs(time.time() - int(match[1]))', 'abs(datetime.utcnow().timestamp() - int(match[1]))'],
    ],
    clock,
  ),
  of(
    'node-http',
    't is compared with milliseconds',
    ['signature/window-in-wrong-unit'],
    [[`const age = Date.now() / 1000 -`, 'const age = Date.now() -']],
    clock,
  ),
  of(
    'php',
    'the minute before is accepted as well',
    ['signature/window-too-tight'],
    [[phpAge, `!in_array(date('YmdHi', (int) $t), [date('YmdHi'), date('YmdHi', time() - 60)], true)`]],
    clock,
  ),
];

/** Bodies and secrets that are converted before they are signed, each with a look-alike. */
export const schemesInFrameworks: readonly Mistake[] = [
  of(
    'php',
    'htmlspecialchars() of the body',
    ['signature/html-escaped'],
    [[phpContent, `$t . '.' . htmlspecialchars($content)`]],
  ),
  of(
    'python-http-server',
    'html.escape() of the body',
    ['signature/html-escaped'],
    [
      ['import hmac\n', 'import hmac\nimport html\n'],
      ['timestamp.encode() + b"." + body', '(timestamp + "." + html.escape(body.decode())).encode()'],
    ],
  ),
  of(
    'express',
    'a sanitizer writes entities for < and > into the text that is signed',
    ['signature/html-escaped'],
    [['.update(content).digest', `.update(String(content).replace(/</g, '&lt;').replace(/>/g, '&gt;')).digest`]],
    { surface: 'api-webhooks' },
  ),
  of(
    'php',
    'strip_tags() of the body',
    ['payload/markup', 'signature/unknown-scheme'],
    [[phpContent, `$t . '.' . strip_tags($content)`]],
    { isSuspected: true },
  ),
  of(
    'php',
    'stripslashes() of the body, as wp_unslash() does',
    ['signature/escapes-undone', 'payload/quotes', 'payload/backslash', 'signature/unknown-scheme'],
    [[phpContent, `$t . '.' . stripslashes($content)`]],
    { isSuspected: true },
  ),
  of(
    'python-aiohttp',
    'html.unescape() of the body',
    ['signature/unknown-scheme', 'payload/format-characters', 'payload/markup'],
    [
      ['import hmac\n', 'import hmac\nimport html\n'],
      [`match[1].encode() + b"." + content`, `(match[1] + "." + html.unescape(content.decode())).encode()`],
    ],
    { isSuspected: true },
  ),
  of(
    'php',
    'urldecode() of the secret',
    ['signature/secret-percent-decoded'],
    [[phpSecret, `urldecode(${phpSecret})`]],
  ),
  of(
    'python-http-server',
    'unquote_plus() of the secret',
    ['signature/secret-percent-decoded'],
    [
      ['import urllib.request\n', 'import urllib.request\nfrom urllib.parse import unquote_plus\n'],
      [
        'AGENT_SECRET = os.environ["AGENT_SECRET"].encode()',
        'AGENT_SECRET = unquote_plus(os.environ["AGENT_SECRET"]).encode()',
      ],
    ],
  ),
  of(
    'node-http',
    'URLSearchParams reads the secret',
    ['signature/secret-percent-decoded'],
    [
      [
        `agent: env('AGENT_SECRET')`,
        `agent: new URLSearchParams(\`secret=\${env('AGENT_SECRET')}\`).get('secret') ?? ''`,
      ],
    ],
  ),
  of(
    'hono',
    'encodeURIComponent() of the secret',
    ['signature/secret-percent-encoded'],
    [['await hmacKey(AGENT_SECRET)', 'await hmacKey(encodeURIComponent(AGENT_SECRET))']],
  ),
  of(
    'express',
    'the secret is written as base64url',
    ['signature/unknown-scheme', 'signature/other-secret'],
    [[`setting('AGENT_SECRET')`, `setting('AGENT_SECRET').replaceAll('+', '-').replaceAll('/', '_')`]],
    { isSuspected: true },
  ),
  of(
    'python-aiohttp',
    'base64.b64decode() of the secret',
    ['signature/secret-base64-decoded'],
    [
      ['import asyncio\n', 'import asyncio\nimport base64\n'],
      [
        'AGENT_SECRET = os.environ["AGENT_SECRET"].encode()',
        'AGENT_SECRET = base64.b64decode(os.environ["AGENT_SECRET"].removeprefix("whsec_"))',
      ],
    ],
  ),
];

/** Two mistakes: both must be reported. */
export const signaturePairsInFrameworks: readonly Mistake[] = [
  of(
    'php',
    'htmlspecialchars() of the body, and no clock',
    ['signature/html-escaped'],
    [
      [phpContent, `$t . '.' . htmlspecialchars($content)`],
      [phpAge, 'false'],
    ],
    { group: 'pair' },
  ),
  of(
    'python-http-server',
    'the same minute is wanted, and the answer is wrapped in data',
    ['answer/wrapped'],
    [
      [pythonAge, 'int(time.time()) // 60 != int(timestamp) // 60'],
      [
        '{"text": "We are open from nine to five. Grüße!", "action": "none"}',
        '{"data": {"text": "We are open from nine to five.", "action": "none"}}',
      ],
    ],
    { group: 'pair', and: ['signature/window-too-tight'] },
  ),
  of(
    'express',
    'a signature may be an hour old, and the text is in reply',
    ['answer/text-elsewhere'],
    [
      [expressAge, 'Math.abs(Date.now() / 1000 - Number(t)) > 3600'],
      [
        `res.json(decide(data.message.text, data.skills ?? []));`,
        `const { text: reply, ...rest } = decide(data.message.text, data.skills ?? []);\n  res.json({ reply, ...rest });`,
      ],
    ],
    { group: 'pair', and: ['signature/window-too-wide'] },
  ),
];
