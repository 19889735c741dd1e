import { mistakesOfGroup } from './framework-endpoint.ts';
import type { Mistake } from './mistake.ts';

const of = mistakesOfGroup('text');

const conduct = { group: 'conduct' } as const;
const expressRaw = `express.raw({ type: () => true, limit: '4mb' }),\n  (req, res, next) => {`;
/** Code that runs for each request with a valid body, before its signature is verified. */
const phpBody = `$body = file_get_contents('php://input');\n$secret`;

/** Filters and templates, each with a look-alike. */
export const contentsInFrameworks: readonly Mistake[] = [
  of(
    'express',
    'a filter refuses markup',
    ['payload/markup'],
    [
      [
        expressRaw,
        `${expressRaw}\n    if (/<\\/?[a-z]/i.test(String(req.body))) return res.status(403).json({ error: 'rejected' });`,
      ],
    ],
  ),
  of(
    'php',
    'strip_tags() has to change nothing',
    ['payload/markup'],
    [
      [
        phpBody,
        `$body = file_get_contents('php://input');\nif (strip_tags($body) !== $body) {\n    answer(400, ['error' => 'markup']);\n}\n$secret`,
      ],
    ],
  ),
  of(
    'hono',
    'a filter refuses <script>',
    ['payload/markup'],
    [
      [
        `const body = new Uint8Array(await c.req.arrayBuffer());`,
        `const body = new Uint8Array(await c.req.arrayBuffer());\n    if (/<script/i.test(new TextDecoder().decode(body))) throw new HTTPException(403);`,
      ],
    ],
    { surface: 'api-webhooks' },
  ),
  of(
    'php',
    'an apostrophe ends the SQL string',
    ['payload/quotes'],
    [
      [
        `answer(200, think(`,
        `$text = $data['message']['text'];\n    if (substr_count($text, "'") % 2 === 1) {\n        throw new Exception('You have an error in your SQL syntax');\n    }\n    answer(200, think(`,
      ],
    ],
  ),
  of(
    'python-http-server',
    'an XML template breaks on an ampersand',
    ['payload/markup', 'payload/format-characters', 'payload/text-value'],
    [
      ['import json\n', 'import json\nimport xml.etree.ElementTree as ElementTree\n'],
      [
        '    text = data["message"]["text"].lower()',
        '    ElementTree.fromstring(f"<message>{data[\'message\'][\'text\']}</message>")\n    text = data["message"]["text"].lower()',
      ],
      ['except (ValueError, KeyError, TypeError, AttributeError):', 'except Exception:'],
    ],
  ),
  of(
    'python-aiohttp',
    'str.format() breaks on a brace',
    ['payload/format-characters', 'payload/markup', 'payload/text-value'],
    [['def think(text, skills):\n', 'def think(text, skills):\n    text.format()\n']],
  ),
  of(
    'php',
    'a notice precedes the answer if the name is missing',
    ['payload/missing-field'],
    [
      [
        `    answer(200, think(`,
        `    ini_set('display_errors', '1');\n    $name = $data['contact']['name'];\n    answer(200, think(`,
      ],
    ],
    // Only the answers of a check are read to their end.
    { ofCheck: ['answer/text-around'] },
  ),
  of(
    'express',
    'a filter also has a limit of 300 characters',
    ['payload/long-text'],
    [[`res.json(decide(`, `if (data.message.text.length > 300) return res.sendStatus(400);\n  res.json(decide(`]],
    { isSuspected: true },
  ),
  of(
    'hono',
    'answers repeat markup',
    [],
    [
      [
        `text: skill ? 'I connect you.' : text,`,
        `text: skill ? 'I connect you.' : \`You wrote: \${data.message.text}\`.slice(0, 900),`,
      ],
    ],
    { group: 'right' },
  ),
];

/** Slowness, each with a look-alike. */
export const conductInFrameworks: readonly Mistake[] = [
  of(
    'python-aiohttp',
    'the model is loaded at the first request',
    ['timing/slow-at-first'],
    [
      [
        '    event = await signed_event(request, AGENT_SECRET)\n',
        '    event = await signed_event(request, AGENT_SECRET)\n    if not request.app["model"]:\n        request.app["model"].append("loaded")\n        await asyncio.sleep(2.7)\n',
      ],
      [
        'app["called_back"], app["deliveries"] = set(), set()',
        'app["called_back"], app["deliveries"], app["model"] = set(), set(), []',
      ],
    ],
    { ...conduct, isSuspected: true },
  ),
  of(
    'express',
    'the model is loaded synchronously at the first request',
    ['timing/slow-at-first'],
    [
      [
        'const app = express();',
        `let isLoaded = false;\nconst app = express();\napp.use((_req, _res, next) => {\n  if (!isLoaded) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2700);\n  isLoaded = true;\n  next();\n});`,
      ],
    ],
    { ...conduct, isSuspected: true },
  ),
  of(
    'python-http-server',
    'every message is slow, and a long history more so',
    ['timing/always-slow'],
    [
      [
        '    text = data["message"]["text"].lower()',
        '    time.sleep(2.3 + 0.06 * len(data.get("history", [])))\n    text = data["message"]["text"].lower()',
      ],
    ],
    { ...conduct, and: ['timing/slow-by-history'] },
  ),
  of(
    'hono',
    'pings are slow, and messages are not',
    ['timing/always-slow', 'payload/ping', 'http/ping-not-handled', 'timing/slow-at-first'],
    [
      [
        `if (type !== 'message.received') return c.body(null, 204);`,
        `if (type !== 'message.received') return sleep(2700).then(() => c.body(null, 204));`,
      ],
    ],
    { ...conduct, isSuspected: true },
  ),
];
