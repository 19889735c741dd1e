import { HarnessFault } from '../harness/checks/faults.ts';
import { askAnswers } from '../run/init/ask-answers.ts';
import { detectCi } from '../run/init/detect-ci.ts';
import { namesSurface, type InitAnswers } from '../run/init/init-answers.ts';
import { assertNoConfig, initialise, type Initialised } from '../run/init/initialise.ts';
import type { EndpointProbe } from '../run/init/probe-endpoint.ts';
import type { ProposedStimuli } from '../run/init/propose-stimuli.ts';
import { wantsColour, write } from '../run/output/terminal.ts';
import { createPaint, type Paint } from '../reports/write/terminal/terminal-paint.ts';
import { visibleOnOneLine } from '../reports/text/visible-controls.ts';
import { terminalPrompter } from './terminal-prompter.ts';

interface InitSettings {
  yes: boolean;
  /** `none`: no file; absent: for the CI system that is in use. */
  ci: string | undefined;
  probes: boolean;
}

/** Asks what is not given, unless `yes`, and prints what `initialise` observes and writes. Throws {@link HarnessFault}. */
export async function runInit(given: InitAnswers, { yes, ci, probes }: InitSettings): Promise<void> {
  const directory = process.cwd();
  assertNoConfig(directory);
  const detected = ci === 'none' ? undefined : detectCi(directory);
  const answers = await completed(given, { yes, detected, isCiGiven: ci !== undefined });
  const paint = createPaint(wantsColour(process.stdout));
  const print = (lines: readonly string[]) => write(process.stdout, `${lines.join('\n')}\n`);
  let isToFix = false;
  const result = await initialise(answers, {
    directory,
    environment: process.env,
    probes,
    onProbe: (probe) => {
      // An endpoint that check starts need not run yet.
      isToFix ||= probe.fix !== undefined && answers.start === undefined;
      return print(probeLines(probe, paint));
    },
    onStimuli: (proposed) => print(stimuliLines(proposed)),
  });
  await print(resultLines(result, isToFix));
}

async function completed(
  given: InitAnswers,
  { yes, detected, isCiGiven }: { yes: boolean; detected: InitAnswers['ci']; isCiGiven: boolean },
): Promise<InitAnswers> {
  if (yes && !namesSurface(given)) throw new HarnessFault('flag-missing:init');
  if (yes) return { ...given, ...(!isCiGiven && { ci: detected }) };
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new HarnessFault('flag-missing:terminal');
  return await askAnswers(terminalPrompter, given, { detected, asksCi: !isCiGiven });
}

function probeLines({ surface, url, isReached, seen, fix }: EndpointProbe, paint: Paint): string[] {
  const sign = isReached ? paint.outcome('pass', '✓') : paint.outcome('fail', '✗');
  return [`${sign} ${surface}  ${url}`, ...seen.map(indented), ...(fix === undefined ? [] : [indented(`Fix: ${fix}`)])];
}

function stimuliLines({ surface, seen }: ProposedStimuli): string[] {
  return [surface === 'own-ai-chat' ? 'Messages to the chat' : 'Calls to the phone', ...seen.map(indented)];
}

function resultLines({ written, unchanged, next }: Initialised, isToFix: boolean): string[] {
  return [
    `Written: ${written.join(', ')}`,
    ...(unchanged.length === 0 ? [] : [`Unchanged (already exists): ${unchanged.join(', ')}`]),
    'Next:',
    ...[...next, `${isToFix ? 'After the fixes above, run' : 'Run'} npx svc-conform check`].map(indented),
  ];
}

function indented(line: string): string {
  return `    ${visibleOnOneLine(line)}`;
}
