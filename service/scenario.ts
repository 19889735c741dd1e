import { LineCounter, parseDocument, type Document } from 'yaml';
import { isStepName, readStep, stepNames, type Step } from './step.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { parsePointer } from '../specs/json-pointer.ts';
import { suggestion } from '../specs/nearest.ts';

/** A step of a scenario file, with its line. */
export interface ScenarioStepAt {
  step: Step;
  /** From 1. */
  line: number;
}

/** A scenario that cannot be played as written. Each line of the message begins with file, line and column. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/** Maximum number of reported faults; the rest is mostly repetition. */
const mostFaults = 20;

/**
 * Reads a scenario: a list of steps in YAML or JSON, each with one field (`specs/schemas/scenario.schema.json`). A step
 * without anything below it (`- hand-back:`) is one with an empty body. Throws {@link ScenarioError} with every fault.
 *
 * @param file name of the file, for messages
 */
export function readScenario(text: string, file: string): ScenarioStepAt[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const faults: string[] = [];
  const add = (place: number, fault: string) => {
    const { line, col } = lines.linePos(place);
    faults.push(`${file}:${Math.max(1, line)}:${Math.max(1, col)}: ${fault}`);
  };
  for (const { pos, code, message } of document.errors) {
    add(
      pos[0],
      code === 'MULTIPLE_DOCS' ? 'expected one list, received more after ---' : `not YAML or JSON: ${message}`,
    );
  }
  if (faults.length > 0) throw scenarioError(faults);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // Aliases that expand without end.
    throw scenarioError([`${file}:1:1: not YAML or JSON: ${(error as Error).message}`]);
  }
  const placeOf = (path: readonly (string | number)[]) => placeIn(document, path);
  if (!Array.isArray(value) || value.length === 0) {
    const received = Array.isArray(value) ? 'an empty one' : kindOf(value);
    add(placeOf([]), `expected a list of steps such as - customer-writes: { text: Hello }, received ${received}`);
    throw scenarioError(faults);
  }
  const steps = value.flatMap((item: unknown, at) => {
    const place = placeOf([at]);
    const name = oneField(item);
    if (name === undefined) {
      const received = isJsonObject(item) ? `the fields ${Object.keys(item).join(', ') || '(none)'}` : kindOf(item);
      add(place, `expected one step such as ${example(item)}, received ${received}`);
      return [];
    }
    if (!isStepName(name)) {
      const near = suggestion(name, stepNames);
      add(
        place,
        near === ''
          ? `expected one of the steps ${stepNames.join(', ')}, received ${name}`
          : `there is no step ${name}.${near}`,
      );
      return [];
    }
    const read = readStep(name, (item as Record<string, unknown>)[name] ?? {});
    if ('step' in read) return [{ step: read.step, line: Math.max(1, lines.linePos(place).line) }];
    for (const { pointer, expected, received, lacksQuotes } of read.violations) {
      const path = parsePointer(pointer);
      const quotes = lacksQuotes === true ? ' (write it in quotes)' : '';
      const words = `${[name, ...path].join('.')}: expected ${expected}, received ${received}${quotes}`;
      add(placeOf([at, name, ...path]), words);
    }
    return [];
  });
  if (faults.length > 0) throw scenarioError(faults);
  return steps;
}

/** Plays the steps of a scenario in turn. */
export interface ScenarioPlay {
  /** Plays one step. `since`: the `seq` before the last step that was not a wait. Returns the `seq` before this one. */
  play: (step: Step, since: number | undefined) => Promise<{ since: number }>;
  onStep?: (step: ScenarioStepAt, index: number) => void;
}

/** Plays the steps one after another. Throws {@link ScenarioError} for the step that failed, with its line. */
export async function playScenario(
  steps: readonly ScenarioStepAt[],
  file: string,
  { play, onStep }: ScenarioPlay,
): Promise<void> {
  let since: number | undefined;
  for (const [index, { step, line }] of steps.entries()) {
    onStep?.({ step, line }, index);
    try {
      const played = await play(step, since);
      if (step.name !== 'wait-for') since = played.since;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ScenarioError(`${file}:${line}: step ${index + 1}, ${step.name}: ${why}`, { cause: error });
    }
  }
}

function scenarioError(faults: readonly string[]): ScenarioError {
  const more = faults.length - mostFaults;
  return new ScenarioError([...faults.slice(0, mostFaults), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'));
}

/** Position of the value at a path; if it is missing, of its nearest existing parent. */
function placeIn(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const part = path.slice(0, length).map((step) => (/^\d+$/.test(String(step)) ? Number(step) : step));
    const node = length === 0 ? document.contents : document.getIn(part, true);
    const range = (node as { range?: [number, number, number] } | null | undefined)?.range;
    if (range) return range[0];
  }
  return 0;
}

function oneField(item: unknown): string | undefined {
  const names = isJsonObject(item) ? Object.keys(item) : [];
  return names.length === 1 ? names[0] : undefined;
}

function example(item: unknown): string {
  return typeof item === 'string' && isStepName(item) ? `${item}: {}` : 'hand-back: {}';
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return isJsonObject(value) ? 'an object' : JSON.stringify(value);
}
