import type { Report, CheckResult, Coverage, RequirementResult, Selection } from '../../specs/generated/types.ts';
import { configKeyOf, surfaces } from '../../specs/surfaces.ts';
import { groupOf, type Group } from './groups.ts';
import { isPartialSelection } from './partial-run.ts';

const judgedGroups: readonly Group[] = ['pass', 'fail', 'warn', 'advice'];
const openGroups: readonly Group[] = ['blocked', 'not-exercised'];

/** Requirements that are judged by effects, which the address in `observe` shows as well. */
const byEffects = /^(?:crm-webhook|api-webhooks|own-ai-chat|own-ai-phone)\/(?:.*-effect$|handles-similar-)/;

/** A run for which the coverage is stated. */
interface CoveredRun {
  readonly checks: readonly CheckResult[];
  /** Keys of the config that are not set. */
  readonly unset?: readonly string[] | undefined;
  /** A partial run omits surfaces on purpose. */
  readonly selection?: Selection | undefined;
}

/**
 * How many observable requirements of the configured surfaces were judged, and which of the unset config keys would let
 * a run judge more: those of a surface that was not run, and those about checks that had nothing to judge.
 */
export function coverageOf(
  rows: readonly RequirementResult[],
  { checks, unset = [], selection }: CoveredRun,
): Coverage {
  const count = (wanted: readonly Group[]) => rows.filter((row) => wanted.includes(groupOf(row))).length;
  const judged = count(judgedGroups);
  const hasOpenCheck = (isAbout: (requirement: string) => boolean) =>
    checks.some(({ requirement, verdict }) => verdict === 'not-exercised' && isAbout(requirement));
  const isUseful = (key: string) => {
    const surface = surfaces.find((one) => configKeyOf(one) === key);
    if (surface) {
      const isOmitted = rows.some((row) => row.surface === surface && row.notJudged === 'not-configured');
      return isOmitted && !isPartialSelection(selection);
    }
    return hasOpenCheck((requirement) =>
      key === 'observe' ? byEffects.test(requirement) : surfacesOf(key).some((one) => requirement.startsWith(one)),
    );
  };
  return { judged, of: judged + count(openGroups), configure: [...new Set(unset)].filter(isUseful) };
}

/** Whether no lookup of a known contact was sent, and no answer to another event had data, so that none was judged. */
export function lacksKnownCaller({ coverage, requirements }: Pick<Report, 'coverage' | 'requirements'>): boolean {
  const row = requirements.find(({ id }) => id === 'crm-webhook/flagged-part-is-present');
  const isDataJudged = row?.verdict === 'pass' || row?.verdict === 'fail';
  return coverage?.configure.includes('stimuli.knownCaller') === true && !isDataJudged;
}

/** The surfaces whose endpoints a key other than an address makes show more, with a slash. */
function surfacesOf(key: string): readonly string[] {
  if (key.startsWith('stimuli.chat.')) return ['own-ai-chat/'];
  if (key.startsWith('stimuli.phone.')) return ['own-ai-phone/'];
  return key === 'stimuli.knownCaller' ? ['crm-webhook/'] : ['own-ai-chat/', 'own-ai-phone/'];
}
