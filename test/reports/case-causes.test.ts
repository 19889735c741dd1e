import { describe, expect, test } from 'vitest';
import { renderCtrf } from '../../reports/write/ctrf/render-ctrf.ts';
import { renderJunit } from '../../reports/write/junit/render-junit.ts';
import { renderSarif } from '../../reports/write/sarif/render-sarif.ts';
import { requirement } from '../../specs/requirements/catalogue.ts';
import { diagnosedReport, distantCause, otherSecret, secretPrefix } from './sample-causes.ts';

const report = diagnosedReport(distantCause);
const { remediation } = requirement('own-ai-chat/answers-ping');
const count = (text: string, part: string) => text.split(part).length - 1;

/** The text that a person reads in the format, without the fields for programs. */
const formats = {
  JUnit: renderJunit(report).replaceAll('&apos;', "'"),
  CTRF: (JSON.parse(renderCtrf(report)) as { results: { tests: { trace?: string }[] } }).results.tests
    .map(({ trace = '' }) => trace)
    .join('\n'),
  SARIF: (JSON.parse(renderSarif(report)) as { runs: [{ results: { message: { text: string } }[] }] }).runs[0].results
    .map(({ message }) => message.text)
    .join('\n'),
};

describe.each(Object.entries(formats))('a cause from another requirement than the lead, in %s', (_, text) => {
  test('is described once with its fix, in place of the guess', () => {
    expect(count(text, secretPrefix.remediation)).toBe(1);
    expect(text).not.toContain(otherSecret.summary);
    expect(text).not.toContain(otherSecret.remediation);
  });

  test('is certain for the requirement where it was found, and probable for equal answers', () => {
    const reference = `own-ai-chat/accepts-valid-signature: ${secretPrefix.summary}`;
    expect(count(text.toLowerCase(), `probably the same cause: ${reference}`.toLowerCase())).toBe(3);
    expect(count(text.toLowerCase(), `same cause: ${reference}`.toLowerCase())).toBe(4);
    expect(text).toContain(remediation);
  });
});

test('no field of CTRF contains the guess', () => {
  expect(renderCtrf(report)).not.toContain(otherSecret.id);
});
