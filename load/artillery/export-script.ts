import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { formatJson } from '../../reports/text/format-json.ts';
import { labelLoad } from '../../reports/text/describe-load.ts';
import { writeReport } from '../../reports/write/write-report.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { RunTarget } from '../../run/config/read-target.ts';
import { writeNote } from '../../run/output/terminal.ts';
import type { EndpointSurface } from '../../specs/surfaces.ts';
import { remoteHosts } from '../assert-confirmed.ts';
import { mostLoad, type LoadPlan } from '../load-plan.ts';
import { engineName, loadScript, type LoadPhase, type LoadScript } from './load-script.ts';

/** The file of a script without another name. */
const usualFile = 'load.artillery.json';
/** Files that Artillery reads: JSON is YAML, too. */
const readableFile = /\.(?:json|ya?ml)$/;

/** Writes the script of a load for Artillery. Throws {@link HarnessFault} if workers cannot run it. */
export async function exportScript(
  file: string | undefined,
  { config, value }: Pick<RunTarget, 'config' | 'value'>,
  plan: LoadPlan,
): Promise<number> {
  if (config.service.tunnel !== undefined) throw new HarnessFault('tunnel-failed:unsupported');
  const place = file ?? usualFile;
  if (!readableFile.test(place)) {
    throw new HarnessFault('value-invalid:flag', {
      flag: '--export artillery',
      expected: 'a file that ends in .json, .yml or .yaml',
      received: place,
    });
  }
  await assertReplaceable(place);
  const script = loadScript(config, value, plan, remoteHosts(config, plan.surfaces));
  for (const surface of plan.surfaces) writeNote(`${surface}: ${describeSteps(script, surface, config, plan)}`);
  const [path = place] = await writeReport(dirname(place), { [basename(place)]: formatJson(script, 2) });
  writeNote(path);
  writeNote(`Run it with: npx artillery run ${relative(process.cwd(), path)}`);
  return 0;
}

/** A script of an earlier export may be replaced, no other file. Throws {@link HarnessFault}. */
async function assertReplaceable(file: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new HarnessFault('file-exists:script', { file });
  }
  if (!isOwnScript(text)) throw new HarnessFault('file-exists:script', { file });
}

function isOwnScript(text: string): boolean {
  try {
    const { config } = JSON.parse(text) as Partial<LoadScript>;
    return config !== undefined && engineName in config.engines;
  } catch {
    return false;
  }
}

/** The loads of a surface, and which limit ends them early. */
function describeSteps(
  { config: { phases } }: LoadScript,
  surface: EndpointSurface,
  config: ResolvedConfig,
  plan: LoadPlan,
): string {
  const loads = phases.filter((phase): phase is LoadPhase => 'surface' in phase && phase.surface === surface);
  const unit = surface === 'own-ai-phone' ? 'concurrent-calls' : 'deliveries-per-second';
  const [from = 0, to = 0] = [loads[0]?.load, loads.at(-1)?.load];
  const most = Math.floor(mostLoad(config, surface, plan));
  const missing = to < most ? `; --max-seconds ${plan.mostSeconds} permits no step up to ${most}` : '';
  return `${from === to ? '' : `${from} to `}${labelLoad(to, unit)}${missing}`;
}
