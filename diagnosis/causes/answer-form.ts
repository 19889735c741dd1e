import type { Cause } from '../cause.ts';

const both = ['own-ai-chat', 'crm-webhook'] as const;

const chatSection = 'Own-AI chat event: message.received';
const unread = 'The endpoint answers 200, but the message waits for the team or the CRM data is not applied.';
const serialise =
  'Build the answer as an object and serialise it once, with the JSON library of your language, right before sending it.';

/** Causes of answers whose bytes are not a JSON object. */
export const answerFormCauses = {
  'answer/html': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the answer is an HTML page instead of JSON.',
    detection: 'A valid event gets a 200 whose body begins with an HTML tag.',
    remediation:
      'Search your code and the configuration of the framework and proxy for the text of this page: usually it is an error page, a login page or the front page of the site. Send JSON from the route of the webhook.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/xml': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the answer is XML instead of JSON.',
    detection: 'A valid event gets a 200 whose body is XML.',
    remediation: 'Let the route of the webhook answer with JSON, regardless of the Accept header of the request.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/form': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the answer is form-encoded instead of JSON.',
    detection: 'A valid event gets a 200 whose body is a sequence of name=value pairs.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/plain-text': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the answer is plain text instead of JSON.',
    detection: 'A valid event gets a 200 whose body contains words and no part of a JSON object.',
    remediation:
      'Put the words into a JSON object, {"text": "…"} for chat; to send no text, answer 204 without a body.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/blank': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the 200 consists only of white space, which is not JSON.',
    detection: 'A valid event gets a 200 whose body is not empty, but contains only white space.',
    remediation:
      'If there is nothing to send, answer 204, or 200 with an empty body; look for a line break that a template or file adds.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/code-fence': {
    surfaces: both,
    symptom: unread,
    summary: 'The JSON of the answer is enclosed in a Markdown code fence, as language models often write it.',
    detection: 'A valid event gets a 200 whose body is JSON once the code fence is removed.',
    remediation:
      'Remove the code fence, parse the output of the model and serialise it again, or request structured output from the model.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/event-stream': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is a stream of server-sent events instead of one JSON object.',
    detection: 'A valid event gets a 200 whose body consists of lines that begin with data:.',
    remediation:
      'Collect the complete output of the model and answer with one JSON object; the chat does not accept partial answers.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/several-values': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the answer contains several JSON values in sequence.',
    detection: 'A valid event gets a 200 in which each line is JSON, but the whole body is not.',
    remediation: 'Answer with one JSON object; look for other code that writes to the same response.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/text-around': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the answer has other text before or after the JSON.',
    detection: 'A valid event gets a 200 whose body is JSON once the text around the object is removed.',
    remediation: 'Keep log lines, runtime warnings and prefixes out of the response; send only the object.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/single-quotes': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer uses single quotes, as Python or JavaScript print an object, which is not valid JSON.',
    detection: 'A valid event gets a 200 whose body is JSON once its single quotes are replaced by double quotes.',
    remediation: 'Serialise with json.dumps or JSON.stringify instead of str() or string interpolation.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/python-words': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer contains None, True or False where JSON has null, true and false.',
    detection: 'A valid event gets a 200 whose body is JSON once these words are replaced.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/unquoted-names': {
    surfaces: both,
    symptom: unread,
    summary: 'The field names of the answer are not quoted, so it is not valid JSON.',
    detection: 'A valid event gets a 200 whose body is JSON once its field names are quoted.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/trailing-comma': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer has a comma after the last field, which JSON does not allow.',
    detection: 'A valid event gets a 200 whose body is JSON once commas before closing brackets are removed.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/comments': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer contains comments, which JSON does not allow.',
    detection: 'A valid event gets a 200 whose body is JSON once its comments are removed.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/not-a-number': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer contains NaN, Infinity or undefined, which JSON does not have.',
    detection: 'A valid event gets a 200 whose body is JSON once these words are replaced by null.',
    remediation:
      'Omit fields without a value before you serialise; in Python, json.dumps(…, allow_nan=False) shows where the value comes from.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/raw-line-ends': {
    surfaces: both,
    symptom: unread,
    summary: 'A string in the answer contains an unescaped line break or tab, so the answer is not valid JSON.',
    detection: 'A valid event gets a 200 whose body is JSON once control characters inside strings are escaped.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/cut-short': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer ends in the middle of its JSON.',
    detection: 'A valid event gets a 200 whose body is JSON once its open strings and brackets are closed.',
    remediation:
      'Compare Content-Length with the number of bytes (not characters) of the body, and check the output limit of the model.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/encoded-twice': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is serialised twice: it is a JSON string that contains JSON.',
    detection: 'A valid event gets a 200 whose body is a JSON string that contains a JSON object.',
    remediation:
      'Serialise once: pass the object to the framework, or serialise it yourself and send the result as raw bytes.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/not-an-object': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is JSON, but not an object.',
    detection: 'A valid event gets a 200 whose body is a list, a string, a number, true, false or null.',
    remediation: 'Answer with a JSON object; if there is nothing to send, answer 204 without a body.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/not-json': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is not valid JSON, and the mistake is not one of the known ones.',
    detection: 'A valid event gets a 200 whose body is not JSON, even with every known mistake corrected.',
    remediation: serialise,
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/latin-1': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is encoded as Latin-1 instead of UTF-8.',
    detection: 'A valid event gets a 200 whose bytes are not valid UTF-8, but are JSON when decoded as Latin-1.',
    remediation: 'Encode the body as UTF-8, regardless of the default of the platform.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/utf-16': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is encoded as UTF-16 instead of UTF-8.',
    detection: 'A valid event gets a 200 whose bytes are JSON when decoded as UTF-16.',
    remediation: 'Encode the body as UTF-8; in .NET that is new UTF8Encoding(false), not Encoding.Unicode.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/compressed': {
    surfaces: both,
    symptom: unread,
    summary: 'The answer is compressed, but has no Content-Encoding header.',
    detection: 'A valid event gets a 200 whose bytes are JSON once decompressed, and no header names the compression.',
    remediation: 'Do not compress the answer, or declare the compression in Content-Encoding.',
    section: chatSection,
  },
  'answer/wrong-coding': {
    surfaces: both,
    symptom: unread,
    summary: 'The body of the answer cannot be decoded as its Content-Encoding declares.',
    detection: 'A valid event gets a 200 whose Content-Encoding does not match the bytes of the body.',
    remediation:
      'Leave Content-Encoding to the server that compresses; do not forward this header with a body that you have already decompressed.',
    section: chatSection,
  },
  'answer/incomplete': {
    surfaces: both,
    symptom: 'The message waits for the team, and the connection was closed early.',
    summary: 'The endpoint sends the status, then closes the connection before the body is complete.',
    detection:
      'A valid event is sent twice; both times the status arrives, and the connection closes before the end of the body.',
    remediation:
      'Look for a Content-Length that is larger than the body, and for an exception while the body is written.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/never-ends': {
    surfaces: both,
    symptom: 'The message waits for the team after the full timeout.',
    summary: 'The endpoint sends the status, but never ends the body of the answer.',
    detection:
      'A valid event is sent twice; both times the status arrives at once, and the body does not end within the timeout.',
    remediation:
      'End the response once the answer is written; look for a Content-Length that is larger than the body and for a stream that is not closed.',
    section: chatSection,
    snippet: 'answer-json',
  },
} as const satisfies Record<`answer/${string}`, Cause>;
