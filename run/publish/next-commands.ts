import { dirname } from 'node:path';
import type { CauseEntry } from '../../reports/model/cause-entries.ts';
import { findingGroups } from '../../reports/model/finding-groups.ts';
import type { RequirementFinding } from '../../reports/model/requirement-finding.ts';
import { configureNotes } from '../../reports/text/run-notes.ts';
import type { NextCommand } from '../../reports/write/terminal/terminal-next.ts';
import { endpointFlags } from '../../specs/endpoint-flags.ts';
import { isEndpointSurface } from '../../specs/surfaces.ts';
import type { CheckCause, CheckResult, Report } from '../../specs/generated/types.ts';
import { credentialFlag, isRedacted } from '../config/endpoint-flags.ts';
import { commandOf, flagsOf, namingFlags } from '../config/report-command.ts';
import { shellCommand } from '../plan/shell-command.ts';

/** Flags that `replay` needs in addition to those that name the target. */
const startingFlags = ['--start', '--known-caller', '--tunnel', '--brand'];

/**
 * What to run after this run: commands that work when they are pasted, or what to change in the next run.
 *
 * @param place the written report that the reader opens; absent when it could not be written
 */
export function nextCommands(report: Report, place: string | undefined): NextCommand[] {
  const { fails, blocked, partlyBlocked, warns, advice } = findingGroups(report);
  const [entry] = [...fails, ...blocked];
  const [part] = partlyBlocked;
  const [lesser] = [...warns, ...advice];
  const first: Concern | undefined = entry
    ? about(entry)
    : part
      ? { finding: part.finding, check: part.unjudged }
      : lesser && about(lesser);
  const commands = first
    ? [...afterFinding(first, report, place), ...(report.selection?.stopped ? wider(report) : [])]
    : wider(report);
  return commands.filter(({ command }) => command === undefined || !isRedacted(command));
}

/** The subject of the commands: a finding, its decisive check, and its cause where one was found. */
interface Concern {
  readonly finding: RequirementFinding;
  readonly check: CheckResult | undefined;
  readonly cause?: CheckCause | undefined;
}

function about({ lead: { finding }, cause }: CauseEntry): Concern {
  return { finding, check: finding.deciding, cause };
}

function afterFinding({ finding, check, cause }: Concern, report: Report, place: string | undefined): NextCommand[] {
  const words = commandOf(report);
  const own = (...rest: string[]) => shellCommand(['npx', 'svc-conform', ...rest]);
  const { id, surface } = finding.requirement;
  const explained = cause?.id ?? (finding.requirement.own === true ? undefined : id);
  const explain =
    explained === undefined
      ? []
      : [{ purpose: cause ? 'about the first cause' : 'about the first finding', command: own('explain', explained) }];
  const cutOff = check?.code === 'budget-used' ? [{ purpose: afterBudget }] : [];
  // Only a run of check has a target that replay and diagnose find again; the endpoint of the demo has ended.
  if (words[0] !== 'check' || place === undefined || report.anonymized || report.partial)
    return [...explain, ...cutOff];
  const out = dirname(place);
  const flags = flagsOf(words, [...namingFlags, ...startingFlags]);
  const diagnosis = cutOff.length > 0 || cause?.certain === true ? undefined : diagnosisFlags(surface, words);
  return [
    { purpose: 'after a fix', command: own('replay', out, ...flags) },
    ...explain,
    ...cutOff,
    ...(diagnosis
      ? [{ purpose: 'to search longer', command: own('diagnose', surface, ...diagnosis, '--report', out) }]
      : []),
  ];
}

const afterBudget = 'To judge the rest, give the run more time with --budget.';

/** Advice that lets the next run judge more. */
function wider({ selection = {}, coverage }: Report): NextCommand[] {
  const { surfaces, only, shard, contracts, capture, stopped } = selection;
  const omitted = [
    ...(only ? ['--only'] : []),
    ...(surfaces ? ['--surface'] : []),
    ...(stopped === 'bail' ? ['--bail'] : []),
  ];
  const notes = [
    ...(contracts ? ['To check more than contracts, run svc-conform check.'] : []),
    ...(capture ? ['To check what recorded traffic does not show, run svc-conform check without --capture.'] : []),
    ...(omitted.length > 0 ? [`To check everything, omit ${omitted.join(' and ')}.`] : []),
    ...(stopped === 'interrupted' ? ['To check everything, run again without an interruption.'] : []),
    ...(shard ? ['To judge the endpoint, combine all shards with svc-conform report merge.'] : []),
  ];
  if (notes.length > 0) return notes.map((purpose) => ({ purpose }));
  const [purpose = 'To test with many more generated events and dialogues, add --thorough.'] = configureNotes(coverage);
  return [{ purpose }];
}

/** The flags of `diagnose` for the target of this run; `undefined` where it cannot reach it. */
function diagnosisFlags(surface: string, words: readonly string[]): string[] | undefined {
  if (!isEndpointSurface(surface) || flagsOf(words, ['--start', '--image']).length > 0) return undefined;
  const { urlFlag, credentialFlag: credential } = endpointFlags[surface];
  const [, url] = flagsOf(words, [urlFlag]);
  const [, reference] = flagsOf(words, [credential]);
  const named = url === undefined || reference === undefined ? [] : ['--url', url, credentialFlag(surface), reference];
  const caller = surface === 'crm-webhook' ? ['--known-caller'] : [];
  return [...named, ...flagsOf(words, ['--config', '--target', '--brand', '--allow-http', '--tunnel', ...caller])];
}
