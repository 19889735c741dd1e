import type { Cause } from '../cause.ts';

const both = ['own-ai-chat', 'crm-webhook'] as const;

const chatSection = 'Own-AI chat event: message.received';
/** What all of them look like from outside. */
const unread = 'The endpoint answers 200, and yet the message waits for the team or the CRM data is not applied.';
const serialise =
  'Build the answer as an object and let the JSON library of your language write it, once, right before it is sent.';

/** Causes about the bytes of an answer: why they are no JSON object. */
export const answerFormCauses = {
  'answer/html': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is an HTML page and not JSON.',
    detection: 'A signed event is sent; the body of the 200 begins with a tag of HTML.',
    remediation:
      'Find out which page answers there: an error page of the framework, a login page or the front page of the site. Send JSON from the route of the webhook.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/xml': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is XML and not JSON.',
    detection: 'A signed event is sent; the body of the 200 is XML.',
    remediation: 'Let the route of the webhook answer JSON, whatever the request accepts.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/form': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is written like the fields of a form and not as JSON.',
    detection: 'A signed event is sent; the body of the 200 is a row of name=value pairs.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/plain-text': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is plain text and not JSON.',
    detection: 'A signed event is sent; the body of the 200 holds words and nothing of a JSON object.',
    remediation:
      'Put the words into a JSON object, {"text": "…"} for a chat; to say nothing, answer 204 without a body.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/blank': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the 200 is nothing but white space, which is not JSON.',
    detection: 'A signed event is sent; the body of the 200 has bytes, and all of them are white space.',
    remediation:
      'Answer 204 when there is nothing to say, or 200 with no body at all; look for a line end that a template or a file leaves behind.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/code-fence': {
    surfaces: both,
    symptom: unread,
    summary: 'The JSON stands in a Markdown fence, as language models write it.',
    detection: 'A signed event is sent; the body of the 200 is JSON as soon as the fence around it is taken off.',
    remediation:
      'Take the fence off, parse what the model wrote and serialise it again, or ask the model for structured output.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/event-stream': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is a stream of server-sent events and not one JSON object.',
    detection: 'A signed event is sent; the body of the 200 consists of lines that begin with data:.',
    remediation:
      'Collect the stream of the model to its end and answer with one JSON object; the chat takes no pieces.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/several-values': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer holds several JSON values one after the other.',
    detection: 'A signed event is sent; each line of the body of the 200 is JSON, the whole is not.',
    remediation: 'Answer with one JSON object; look for a second place that writes to the same response.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/text-around': {
    surfaces: both,
    symptom: unread,
    summary: 'There is other text before or after the JSON.',
    detection:
      'A signed event is sent; the body of the 200 is JSON as soon as what stands around the object is taken off.',
    remediation: 'Keep log lines, warnings of the language and prefixes out of the response; send the object alone.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/single-quotes': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is written with single quotes, as Python or JavaScript show an object, and that is not JSON.',
    detection: 'A signed event is sent; the body of the 200 is JSON as soon as its quotes are made double.',
    remediation: 'Serialise with json.dumps or JSON.stringify instead of str() or an object printed as text.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/python-words': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer holds None, True or False where JSON has null, true and false.',
    detection: 'A signed event is sent; the body of the 200 is JSON as soon as these words are replaced.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/unquoted-names': {
    surfaces: both,
    symptom: unread,
    summary: 'The names of the fields have no quotes, so that the answer is not a JSON.',
    detection: 'A signed event is sent; the body of the 200 is JSON as soon as its names are quoted.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/trailing-comma': {
    surfaces: both,
    symptom: unread,
    summary: 'There is a comma after the last field, which JSON does not allow.',
    detection: 'A signed event is sent; the body of the 200 is JSON as soon as commas before a closing bracket go.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/comments': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer holds comments, which JSON does not have.',
    detection: 'A signed event is sent; the body of the 200 is JSON as soon as its comments go.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/not-a-number': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer holds NaN, Infinity or undefined, which JSON does not have.',
    detection: 'A signed event is sent; the body of the 200 is JSON as soon as these words are null.',
    remediation:
      'Leave fields without a value out before you serialise; in Python json.dumps(…, allow_nan=False) shows where it comes from.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/raw-line-ends': {
    surfaces: both,
    symptom: unread,
    summary: 'A text in the answer has a line end or tab that is not escaped, so that the answer is not a JSON.',
    detection:
      'A signed event is sent; the body of the 200 is JSON as soon as control characters within texts are escaped.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/cut-short': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer stops in the middle of its JSON.',
    detection: 'A signed event is sent; the body of the 200 is JSON as soon as its open texts and brackets are closed.',
    remediation:
      'Compare Content-Length with the number of bytes (not characters) of the body, and look for a bound on the output of the model.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/encoded-twice': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is serialised twice: it is a JSON text that holds JSON.',
    detection: 'A signed event is sent; the body of the 200 is a JSON string, and what is in it is a JSON object.',
    remediation: 'Hand the object to the framework as it is and do not serialise it yourself, or the other way round.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/not-an-object': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is JSON, but not an object.',
    detection: 'A signed event is sent; the body of the 200 is a list, a text, a number, true, false or null.',
    remediation: 'Answer with a JSON object; when there is nothing to say, answer 204 without a body.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/not-json': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is not a JSON, for a reason that is not among those we know.',
    detection: 'A signed event is sent; the body of the 200 is not a JSON, whatever known mistake is undone.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/latin-1': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is not written in UTF-8: it is JSON when it is read as Latin-1.',
    detection: 'A signed event is sent; the bytes of the 200 are no UTF-8, and are JSON as Latin-1.',
    remediation: 'Write the body as UTF-8, whatever the platform takes as its default.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/utf-16': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is not written in UTF-8: it is JSON when it is read as UTF-16.',
    detection: 'A signed event is sent; the bytes of the 200 are JSON as UTF-16.',
    remediation: 'Write the body as UTF-8; in .NET that is new UTF8Encoding(false), not Encoding.Unicode.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/compressed': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is compressed, and no header says so.',
    detection:
      'A signed event is sent; the bytes of the 200 are JSON once they are unpacked, and there is no Content-Encoding.',
    remediation: 'Do not compress the answer, or name it in Content-Encoding.',
    section: chatSection,
  },
  'answer/wrong-coding': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer cannot be unpacked as its Content-Encoding says.',
    detection: 'A signed event is sent; the header Content-Encoding does not fit the bytes of the answer.',
    remediation:
      'Leave Content-Encoding to the server that compresses; do not pass on the header of an answer that you have unpacked.',
    section: chatSection,
  },
  'answer/incomplete': {
    surfaces: both,
    symptom: 'The message waits for the team; the connection broke off.',
    summary: 'The connection ends after the status and before the answer is complete.',
    detection:
      'A signed event is sent twice; each time the status comes and the connection is closed before the end of the body.',
    remediation:
      'Look for a Content-Length that is larger than the body, and for an exception while the body is written.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/never-ends': {
    surfaces: both,
    symptom: 'The message waits for the team after the whole waiting time.',
    summary: 'The status comes, but the body of the answer never ends.',
    detection:
      'A signed event is sent twice; each time the status comes at once and the end of the body does not within the waiting time.',
    remediation:
      'End the response once the answer is written; look for a Content-Length that is larger than the body and for a stream that is not closed.',
    section: chatSection,
    snippet: 'answer-json',
  },
} as const satisfies Record<`answer/${string}`, Cause>;
