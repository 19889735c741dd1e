import type { CauseId } from '../../../diagnosis/causes.ts';
import { mistakesOfGroup } from './framework-endpoint.ts';
import type { Mistake } from './mistake.ts';

const of = mistakesOfGroup('later');

const crm = { surface: 'crm-webhook' } as const;
const suspected = { isSuspected: true } as const;
const right = { group: 'right' } as const;
const unknownPlace: readonly CauseId[] = ['callback/never-sent', 'callback/not-yet', 'callback/other-host'];

const expressReply = 'callApi(data.replyUrl,';
const pythonReply = 'args=(data["replyUrl"], "It costs 80 euros.")';
const aiohttpReply = 'call_api(request.app["session"], data["replyUrl"], {"text": "80 euros.", "action": "none"})';
const honoReply = `post(data.replyUrl, { text: 'That costs 80 euros.' })`;
const aiohttpCallback = 'call_back(request.app["session"], callback_url, lookup)';
const yarl = ['from aiohttp import', 'from yarl import URL\nfrom aiohttp import'] as const;
const urllib = ['import urllib.request\n', 'import urllib.request\nfrom urllib.parse import urlparse\n'] as const;

/** Callbacks and replies to a wrong place or in a wrong form, each class with a look-alike. */
export const laterInFrameworks: readonly Mistake[] = [
  of(
    'express',
    'replies go to req.get("host")',
    ['callback/other-host'],
    [[expressReply, `callApi(\`\${req.protocol}://\${req.get('host')}\${new URL(data.replyUrl).pathname}\`,`]],
  ),
  of(
    'express',
    'replies go to req.hostname behind a trusted proxy, without its port',
    unknownPlace,
    [
      [`app.disable('x-powered-by');`, `app.disable('x-powered-by');\napp.set('trust proxy', true);`],
      [expressReply, `callApi(\`http://\${req.hostname}\${new URL(data.replyUrl).pathname}\`,`],
    ],
    suspected,
  ),
  of(
    'python-aiohttp',
    'callbacks go to request.host',
    ['callback/other-host'],
    [
      yarl,
      [aiohttpCallback, 'call_back(request.app["session"], request.url.join(URL(callback_url).relative()), lookup)'],
    ],
    crm,
  ),
  of(
    'hono',
    'replies go to the host of c.req.url',
    ['callback/other-host'],
    [[honoReply, `post(new URL(new URL(data.replyUrl).pathname, c.req.url).href, { text: 'That costs 80 euros.' })`]],
  ),
  of(
    'python-http-server',
    'replies go to the host of the settings',
    unknownPlace,
    [urllib, [pythonReply, 'args=(BASE_URL + urlparse(data["replyUrl"]).path, "It costs 80 euros.")']],
    suspected,
  ),
  of(
    'hono',
    'callbacks go to the host of the settings',
    unknownPlace,
    [['await fetch(callbackUrl,', 'await fetch(new URL(new URL(callbackUrl).pathname, SVC_BASE_URL),']],
    { ...crm, ...suspected },
  ),
  // Nothing arrives there, or nothing that the service can use.
  of(
    'python-aiohttp',
    'the task of the reply is created without being scheduled',
    unknownPlace,
    [[`in_background(${aiohttpReply})`, `_ = ${aiohttpReply}`]],
    suspected,
  ),
  of(
    'python-aiohttp',
    'callbacks are sent as a form',
    ['answer/form'],
    [['session.post(url, json=answer)', 'session.post(url, data={key: str(value) for key, value in answer.items()})']],
    crm,
  ),
  of(
    'express',
    'replies lose the path behind the host',
    ['callback/wrong-place'],
    [[expressReply, `callApi(new URL('/agent-replies', data.replyUrl).href,`]],
  ),
  of(
    'hono',
    'replies are wrapped in data',
    ['answer/wrapped'],
    [[honoReply, `post(data.replyUrl, { data: { text: 'That costs 80 euros.', action: 'none' } })`]],
  ),
  of(
    'python-http-server',
    'replies are wrapped in data',
    ['answer/wrapped'],
    [['post(url, {"text": text, "action": "none"})', 'post(url, {"data": {"text": text, "action": "none"}})']],
  ),
  of(
    'express',
    'the text of replies is in message',
    ['answer/text-elsewhere'],
    [
      [
        `{ text: 'The repair costs 80 euros.', action: 'none' }`,
        `{ message: 'The repair costs 80 euros.', action: 'none' }`,
      ],
    ],
  ),
  of(
    'python-aiohttp',
    'data of a reply is JSON in a string',
    ['answer/wrapped', 'answer/text-elsewhere', 'answer/encoded-twice'],
    [['{"text": "80 euros.", "action": "none"}', '{"data": json.dumps({"text": "80 euros.", "action": "none"})}']],
  ),
  of(
    'hono',
    'replies also have data',
    [],
    [[honoReply, `post(data.replyUrl, { text: 'That costs 80 euros.', action: 'none', data: { text: 'internal' } })`]],
    right,
  ),
  of(
    'express',
    'the host of a proxy is read, but not used',
    [],
    [
      [
        `app.disable('x-powered-by');`,
        `app.disable('x-powered-by');\napp.set('trust proxy', true);\napp.use((req, _res, next) => { console.log(req.hostname); next(); });`,
      ],
    ],
    right,
  ),
];

/** Data of another contact in an answer, each with a look-alike. */
export const othersInFrameworks: readonly Mistake[] = [
  of(
    'express',
    'app.locals keeps the name of the first contact',
    ['answer/of-another-contact'],
    [
      [
        'res.json(decide(data.message.text',
        'app.locals.name ??= data.contact.name;\n  res.json(greet(app.locals.name, data.message.text',
      ],
      [
        'const app = express();',
        `const greet = (name: string | undefined, text: string, skills: Skill[]) => {\n  const reply = decide(text, skills);\n  return { ...reply, text: \`Hello \${name ?? ''}, \${reply.text}\` };\n};\nconst app = express();`,
      ],
    ],
  ),
  of(
    'python-http-server',
    'a default argument is shared by all calls',
    ['answer/of-another-contact'],
    [
      [
        'def handle_chat(event):',
        'def greeting(name, names=[]):\n    names.append(name)\n    return f"Hello {names[0]}, we are open until five."\n\n\ndef handle_chat(event):',
      ],
      ['"We are open from nine to five. Grüße!"', 'greeting(data["contact"].get("name", "you"))'],
    ],
  ),
  of(
    'hono',
    'answers are cached by channel',
    ['answer/of-another-contact'],
    [
      [
        'const deliveries = new Set<string>();',
        'const deliveries = new Set<string>();\nconst greetings = new Map<string, string>();',
      ],
      [
        `const { skill, action = 'none', note = '', text } = think(`,
        `const key = data.channel;\n  if (!greetings.has(key)) greetings.set(key, \`Hello \${data.contact.name ?? 'you'}.\`);\n  const { skill, action = 'none', note = '', text = '' } = think(`,
      ],
      [
        `text: skill ? 'I connect you.' : text,`,
        `text: skill ? 'I connect you.' : \`\${greetings.get(key)} \${text}\`,`,
      ],
    ],
  ),
  of(
    'express',
    'the name that a contact had before is kept by phone number',
    [],
    [
      [
        'res.json(decide(data.message.text',
        'const key = data.contact.phone ?? id;\n  if (!names.has(key)) names.set(key, data.contact.name);\n  res.json(greet(names.get(key), data.message.text',
      ],
      [
        'const app = express();',
        `const names = new Map<string, string | undefined>();\nconst greet = (name: string | undefined, text: string, skills: Skill[]) => {\n  const reply = decide(text, skills);\n  return { ...reply, text: \`Hello \${name ?? ''}, \${reply.text}\` };\n};\nconst app = express();`,
      ],
    ],
    right,
  ),
  of(
    'python-aiohttp',
    'every customer is referred to the same person',
    [],
    [['"We are open until five o\'clock. 😀"', '"Ask for Erika Beispiel, +49 30 901820, until five o\'clock."']],
    right,
  ),
];

/** Two mistakes: both must be reported. */
export const laterPairsInFrameworks: readonly Mistake[] = [
  of(
    'python-http-server',
    'signatures have no time limit, and replies are wrapped in data',
    ['answer/wrapped'],
    [
      ['post(url, {"text": text, "action": "none"})', 'post(url, {"data": {"text": text, "action": "none"}})'],
      ['abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS', 'not timestamp'],
    ],
    { group: 'pair', and: ['signature/window-missing'] },
  ),
  of(
    'hono',
    'pings are not verified, and replies go to the host of c.req.url',
    ['callback/other-host'],
    [
      [honoReply, `post(new URL(new URL(data.replyUrl).pathname, c.req.url).href, { text: 'That costs 80 euros.' })`],
      [
        `if (!(await isSigned(c.req.header('X-Svc-Signature'), body, key)))`,
        `if (c.req.header('X-Svc-Event') !== 'ping' && !(await isSigned(c.req.header('X-Svc-Signature'), body, key)))`,
      ],
    ],
    { group: 'pair', and: ['signature/ping-not-checked'] },
  ),
  of(
    'express',
    'the signature is compared as far as sent, and app.locals keeps a name',
    ['answer/of-another-contact'],
    [
      ['([0-9a-f]{64})$/i', '([0-9a-f]{8,64})$/i'],
      ['return equal(v1.toLowerCase(), expected);', 'return expected.startsWith(v1.toLowerCase());'],
      [
        'res.json(decide(data.message.text',
        'app.locals.name ??= data.contact.name;\n  res.json(greet(app.locals.name, data.message.text',
      ],
      [
        'const app = express();',
        `const greet = (name: string | undefined, text: string, skills: Skill[]) => {\n  const reply = decide(text, skills);\n  return { ...reply, text: \`Hello \${name ?? ''}, \${reply.text}\` };\n};\nconst app = express();`,
      ],
    ],
    { group: 'pair', and: ['signature/as-far-as-sent'] },
  ),
];
