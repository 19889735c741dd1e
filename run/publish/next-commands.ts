import { dirname } from 'node:path';
import { entriesToFix, findingGroups } from '../../reports/model/finding-groups.ts';
import { isPartialPass } from '../../reports/text/headline.ts';
import type { NextCommand } from '../../reports/write/terminal/terminal-next.ts';
import { endpointFlags } from '../../specs/endpoint-flags.ts';
import { isEndpointSurface } from '../../specs/surfaces.ts';
import type { Report } from '../../specs/generated/types.ts';
import { credentialFlag } from '../config/endpoint-flags.ts';
import { commandOf, flagsOf, namingFlags } from '../config/report-command.ts';
import { shellCommand } from '../plan/shell-command.ts';

/** Flags that `replay` needs in addition to those that name the target. */
const startingFlags = ['--start', '--tunnel', '--brand'];

/**
 * What to run after this run: commands that work when they are pasted.
 *
 * @param place the written report that the reader opens; absent when it could not be written
 */
export function nextCommands(report: Report, place: string | undefined): NextCommand[] {
  const groups = findingGroups(report);
  const [first] = entriesToFix(groups);
  if (!first || [...groups.fails, ...groups.blocked].length === 0) {
    return isPartialPass(report) ? [{ purpose: 'To check everything, omit --only, --surface and --shard.' }] : [];
  }
  const words = commandOf(report);
  const own = (...rest: string[]) => shellCommand(['npx', 'svc-conform', ...rest]);
  const { id } = first.lead.finding.requirement;
  const isInCatalogue = first.lead.finding.requirement.own !== true;
  const explained = first.cause?.id ?? (isInCatalogue ? id : undefined);
  const explain =
    explained === undefined ? [] : [{ purpose: 'about the first cause', command: own('explain', explained) }];
  // Only a run of check has a target that replay and diagnose find again; the endpoint of the demo has ended.
  if (words[0] !== 'check' || place === undefined || report.anonymized || report.partial) return explain;
  const out = dirname(place);
  const flags = flagsOf(words, [...namingFlags, ...startingFlags]);
  const diagnosis = diagnosisFlags(first.surface, words);
  const isKnown = first.cause?.certain === true;
  return [
    { purpose: 'after a fix', command: own('replay', out, ...flags) },
    ...explain,
    ...(isKnown || !diagnosis
      ? []
      : [{ purpose: 'to search longer', command: own('diagnose', first.surface, ...diagnosis, '--report', out) }]),
  ];
}

/** The flags of `diagnose` for the target of this run; `undefined` where it cannot reach it. */
function diagnosisFlags(surface: string, words: readonly string[]): string[] | undefined {
  if (!isEndpointSurface(surface) || flagsOf(words, ['--start', '--image', '--brand']).length > 0) return undefined;
  const { urlFlag, credentialFlag: credential } = endpointFlags[surface];
  const [, url] = flagsOf(words, [urlFlag]);
  const [, reference] = flagsOf(words, [credential]);
  const named = url === undefined || reference === undefined ? [] : ['--url', url, credentialFlag(surface), reference];
  return [...named, ...flagsOf(words, ['--config', '--allow-http', '--tunnel'])];
}
