import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import { readFile } from 'node:fs/promises';
import { visibleControls } from '../../reports/text/visible-controls.ts';
import { playScenario, readScenario, ScenarioError, type ScenarioStepAt } from '../../service/scenario.ts';
import type { StepPlayer } from '../../service/step-player.ts';
import { shellCommand } from '../../run/plan/shell-command.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** A scenario file that can be played. */
export interface Script {
  file: string;
  steps: readonly ScenarioStepAt[];
}

/**
 * Refuses a scenario that connects the service to other addresses, which would then receive its deliveries.
 *
 * @throws HarnessFault that states the line and the flag
 */
export function assertConnectable({ file, steps }: Script, allowed: ReadonlySet<string>): void {
  for (const { step, line } of steps) {
    if (step.name !== 'connect') continue;
    const named: Readonly<Record<string, string>> = { ...step.body };
    for (const [field, address] of Object.entries(named)) {
      if (address === '' || allowed.has(address)) continue;
      throw new HarnessFault('address-not-confirmed:scenario', {
        place: `${file}:${line}`,
        field,
        address,
        flag: shellCommand([address]),
      });
    }
  }
}

/** Reads the file of `--script`. Throws {@link HarnessFault} with all its faults. */
export async function readScript(file: string): Promise<Script> {
  try {
    return { file, steps: readScenario(await readFile(file, 'utf8'), file) };
  } catch (error) {
    if (error instanceof ScenarioError)
      throw new HarnessFault('scenario-invalid', { problems: error.message }, { cause: error });
    throw new HarnessFault(
      'file-unreadable:flag',
      { flag: '--script', file, reason: describeFileError(error) },
      { cause: error },
    );
  }
}

/** Plays a scenario and reports its end on standard error. Returns whether all steps succeeded; the service continues either way. */
export async function playScript({ file, steps }: Script, player: StepPlayer): Promise<boolean> {
  const tell = (text: string) => process.stderr.write(`${visibleControls(text)}\n`);
  try {
    await playScenario(steps, file, { play: (step, since) => player.play(step, since) });
    tell(`${file}: finished, ${steps.length === 1 ? '1 step' : `${steps.length} steps`}.`);
    return true;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    tell(`${error.message}\nThe scenario stops here; the service keeps running.`);
    return false;
  }
}
