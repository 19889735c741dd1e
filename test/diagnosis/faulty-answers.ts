import { gzipSync } from 'node:zlib';
import { sentences, think, type Thought } from '../proving/chat.ts';
import type { Seams } from '../proving/endpoint.ts';
import { json, plainTransport } from '../proving/wire.ts';
import { faultyCrmAnswers } from './faulty-crm-answers.ts';
import type { Faulty } from './faulty.ts';

type Body = string | Buffer;

/** Serialises the answer of the AI in another way. */
function written(write: (thought: Thought) => Body, headers: Record<string, string> = {}): () => Seams {
  return () => ({ chat: { now: (thought) => ({ status: 200, headers, body: write(thought) }) } });
}

/** Gives another answer to one sentence. */
function saying(sentence: string, over: Thought): () => Seams {
  return () => ({
    chat: {
      think: (event) => {
        const thought = think(event);
        return event.data.message.text === sentence && thought ? { ...thought, ...over } : thought;
      },
    },
  });
}

function chat(cause: Faulty['cause'], name: string, build: () => Seams, says?: string): Faulty {
  return { cause, name, surface: 'own-ai-chat', build, ...(says !== undefined && { says }) };
}

/** The form in which Python prints a dictionary. */
function pythonic(value: Record<string, unknown>): string {
  const fields = Object.entries(value).map(([name, field]) => {
    const text = JSON.stringify(field).slice(1, -1);
    return `'${name}': ${typeof field === 'string' ? (text.includes("'") ? `"${text}"` : `'${text}'`) : field === null ? 'None' : 'True'}`;
  });
  return `{${fields.join(', ')}}`;
}

const lines = (value: unknown) => JSON.stringify(value, null, 2);

/** Endpoints with unusable answers, each with one cause. */
export const faultyAnswers: readonly Faulty[] = [
  ...faultyCrmAnswers,
  chat(
    'answer/html',
    'an error page',
    written(() => '<!DOCTYPE html>\n<html><body>Something went wrong</body></html>'),
  ),
  chat(
    'answer/html',
    'a fragment of HTML',
    written(() => '<p>Yes, at ten.</p>'),
  ),
  chat(
    'answer/xml',
    'an XML answer',
    written(({ text }) => `<?xml version="1.0"?><answer><text>${String(text)}</text></answer>`),
  ),
  chat(
    'answer/form',
    'a form',
    written(({ text }) => new URLSearchParams({ text: String(text), action: 'none' }).toString()),
  ),
  chat(
    'answer/plain-text',
    'the words alone',
    written(({ text }) => String(text)),
  ),
  chat(
    'answer/plain-text',
    'OK',
    written(() => 'OK'),
  ),
  chat(
    'answer/blank',
    'a lone line end',
    written(() => '\r\n'),
  ),
  chat(
    'answer/code-fence',
    'a fence',
    written((thought) => `\`\`\`json\n${lines(thought)}\n\`\`\``),
  ),
  chat(
    'answer/code-fence',
    'a fence around a comma too many',
    written(({ text }) => `\`\`\`json\n{"text": ${JSON.stringify(text)},}\n\`\`\``),
    'comma',
  ),
  chat(
    'answer/event-stream',
    'a stream',
    written((thought) => `data: ${JSON.stringify(thought)}\n\ndata: [DONE]\n\n`),
  ),
  chat(
    'answer/several-values',
    'two writers',
    written((thought) => `${JSON.stringify(thought)}\n${JSON.stringify({ ok: true })}\n`),
  ),
  chat(
    'answer/text-around',
    'a warning of PHP',
    written(
      (thought) => `<br />\n<b>Warning</b>: Undefined index in <b>/srv/a.php</b><br />\n${JSON.stringify(thought)}`,
    ),
  ),
  chat(
    'answer/text-around',
    'a word before',
    written((thought) => `Here is the answer: ${JSON.stringify(thought)}`),
  ),
  chat(
    'answer/single-quotes',
    'a dictionary printed',
    written((thought) => pythonic({ ...thought, note: null })),
  ),
  chat(
    'answer/single-quotes',
    'a dictionary with an apostrophe',
    written(() => pythonic({ text: "It's at ten.", action: 'none' })),
  ),
  chat(
    'answer/python-words',
    'None in double quotes',
    written(({ text }) => `{"text": ${JSON.stringify(text)}, "note": None}`),
  ),
  chat(
    'answer/unquoted-names',
    'a literal of JavaScript',
    written(({ text }) => `{text: ${JSON.stringify(text)}, action: "none"}`),
  ),
  chat(
    'answer/trailing-comma',
    'a template',
    written(({ text }) => `{"text": ${JSON.stringify(text)}, "action": "none",}`),
  ),
  chat(
    'answer/comments',
    'a comment',
    written(({ text }) => `{\n  // from the template\n  "text": ${JSON.stringify(text)} /* words */\n}`),
  ),
  chat(
    'answer/not-a-number',
    'NaN',
    written(({ text }) => `{"text": ${JSON.stringify(text)}, "confidence": NaN}`),
  ),
  chat(
    'answer/raw-line-ends',
    'a template with a line end',
    written(() => '{"text": "Yes,\nat ten.", "action": "none"}'),
  ),
  chat(
    'answer/cut-short',
    'a bound on the output',
    written(() => '{"text": "Yes, at ten o\u2019clock and then we'),
  ),
  chat(
    'answer/cut-short',
    'characters counted instead of bytes',
    written((thought) => {
      const text = JSON.stringify({ ...thought, text: 'Grüße, 10 Uhr paßt' });
      return Buffer.from(text).subarray(0, text.length);
    }),
  ),
  chat(
    'answer/encoded-twice',
    'serialised twice',
    written((thought) => JSON.stringify(JSON.stringify(thought))),
  ),
  chat(
    'answer/not-an-object',
    'a list',
    written((thought) => JSON.stringify([thought])),
    'a list of 1',
  ),
  chat(
    'answer/not-an-object',
    'a string',
    written(({ text }) => JSON.stringify(text)),
    'a string',
  ),
  chat(
    'answer/not-an-object',
    'null',
    written(() => 'null'),
    'null',
  ),
  chat(
    'answer/latin-1',
    'Latin-1',
    written((thought) => Buffer.from(JSON.stringify({ ...thought, text: 'Grüße' }), 'latin1')),
  ),
  chat(
    'answer/utf-16',
    'UTF-16 with its mark',
    written((thought) => Buffer.from(`\ufeff${JSON.stringify(thought)}`, 'utf16le')),
  ),
  chat(
    'answer/utf-16',
    'UTF-16 without a mark',
    written((thought) => Buffer.from(JSON.stringify({ ...thought, text: 'Yes' }), 'utf16le')),
  ),
  chat(
    'answer/compressed',
    'gzip without a word',
    written((thought) => gzipSync(JSON.stringify(thought))),
  ),
  chat(
    'answer/wrong-coding',
    'gzip that is none',
    written((thought) => JSON.stringify(thought), { 'content-encoding': 'gzip' }),
  ),
  {
    ...chat(
      'answer/not-json',
      'quotes within a string',
      written(() => '{"text": "He said "yes" and "no" to {it}", "a"}'),
    ),
    suspected: true,
  },
  chat('answer/incomplete', 'a writer that crashes', () => ({
    transport: {
      write: (response, answer) => {
        if (answer.status !== 200) return plainTransport.write(response, answer);
        response.writeHead(200, { 'content-length': 1_000 });
        response.write('{"text":');
        setTimeout(() => response.destroy(), 20);
      },
    },
  })),
  chat('answer/never-ends', 'a length that is too large', () => ({
    transport: {
      write: (response, answer) => {
        if (answer.status !== 200) return plainTransport.write(response, answer);
        response.writeHead(200, { 'content-length': 1_000 });
        response.write('{"text":"Yes"}');
      },
    },
  })),
  chat(
    'answer/too-large',
    'sources in the answer',
    written((thought) => JSON.stringify({ ...thought, sources: 's'.repeat(70_000) })),
    '70',
  ),
  chat(
    'answer/text-too-long',
    '4001 characters',
    written(() => JSON.stringify({ text: 'n'.repeat(4_001) })),
    '4001',
  ),
  chat('answer/note-too-long', 'the reasoning as a note', saying(sentences.handover, { note: 'n'.repeat(501) }), '501'),
  chat('answer/unknown-action', 'transfer', saying(sentences.handover, { action: 'transfer' }), 'transfer'),
  chat('answer/unknown-action', 'End', saying(sentences.end, { action: 'End' }), 'written end'),
  chat(
    'answer/wrong-type',
    'a message in parts',
    written(() => JSON.stringify({ text: [{ type: 'text', text: 'Yes' }] })),
    '/text',
  ),
  chat(
    'answer/wrong-type',
    'a skill without a list',
    saying(sentences.skill, { executeSkills: 'urgent' }),
    '/executeSkills',
  ),
  chat(
    'answer/text-elsewhere',
    'reply',
    written(() => JSON.stringify({ reply: 'Yes, at ten o\u2019clock.' })),
    'reply',
  ),
  chat(
    'answer/text-elsewhere',
    'reply, next to an action',
    written(() => JSON.stringify({ reply: 'Yes, at ten o\u2019clock.', action: 'none' })),
    'in reply',
  ),
  {
    ...chat(
      'answer/text-elsewhere',
      'reply, next to an empty text',
      written(() => JSON.stringify({ text: '', reply: 'Yes, at ten o\u2019clock.', action: 'none' })),
      'in reply',
    ),
    suspected: true,
  },
  chat(
    'answer/text-elsewhere',
    'Text',
    written(({ text, action }) => JSON.stringify({ Text: text, Action: action })),
    'reads this field only as text',
  ),
  {
    ...chat(
      'answer/text-elsewhere',
      'execute_skills, next to an empty text',
      written(() => JSON.stringify({ text: '', action: 'none', execute_skills: [{ skill: 'urgent', note: 'now' }] })),
      'only as executeSkills',
    ),
    suspected: true,
  },
  chat(
    'answer/text-elsewhere',
    'the model passed on',
    written(({ text }) =>
      JSON.stringify({ id: 'c1', choices: [{ index: 0, message: { role: 'assistant', content: text } }] }),
    ),
    'choices',
  ),
  chat(
    'answer/wrapped',
    'the envelope of a gateway',
    written((thought) => JSON.stringify({ statusCode: 200, headers: {}, body: JSON.stringify(thought) })),
    'gateway',
  ),
  chat(
    'answer/wrapped',
    'data',
    written((data) => JSON.stringify({ success: true, data })),
    'data',
  ),
  chat(
    'answer/error-in-success',
    'an error of the model',
    written(() => JSON.stringify({ error: { message: 'rate limit' } })),
    'error',
  ),
  chat('answer/unlisted-status', '201', () => ({ chat: { now: (thought) => json(201, thought) } }), '201'),
  chat('answer/lost-in-status', 'text in a 202', () => ({ chat: { now: (thought) => json(202, thought) } })),
  chat(
    'answer/too-many-skills',
    'six skills',
    saying(sentences.skill, { executeSkills: ['urgent', 'call-back', 'invoice', 'complaint', 'parking', 'sales'] }),
    '6',
  ),
  chat('answer/two-forwards', 'two forwards', saying(sentences.skill, { executeSkills: ['sales', 14] })),
  chat('answer/unknown-skill', 'a skill made up', saying(sentences.skill, { executeSkills: ['plumber'] }), 'plumber'),
];
