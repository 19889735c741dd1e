import { lacksKnownCaller } from '../model/coverage.ts';
import type { Report } from '../../specs/generated/types.ts';
import type { CutOffCode } from '../../specs/faults/cut-off-codes.ts';
import type { Catalogue } from '../model/build-report.ts';
import { isDisabledByVariable } from '../text/run-notes.ts';
import { counted } from '../text/wording.ts';
import { contradictions } from './contradictions.ts';
import { imageDigest } from './statement.ts';
import { clockToleranceMs } from './valid-days.ts';
import { surfaceOf } from '../../specs/surfaces.ts';

/**
 * Reasons why a report cannot be certified, a sentence each; empty when it can.
 *
 * @param signedAt time of the signature; nothing in the report may be later
 */
export function certificateRefusals(report: Report, catalogue: Catalogue, signedAt: Date): string[] {
  const own = report.requirements.flatMap((one) => (one.own ? [one.id] : []));
  return [
    ...verdictRefusals(report),
    ...selectionRefusals(report.selection),
    ...environmentRefusals(report.environment),
    ...gateRefusals(report.gate),
    ...cutOffRefusals(report),
    ...subjectRefusals(report),
    ...timeRefusals(report, signedAt),
    ...(own.length > 0
      ? [
          `It has requirements of own suites (${own.join(', ')}), and a certificate covers only those of the catalogue: run without them.`,
        ]
      : contradictions(report, catalogue)),
  ];
}

/** Reasons in the selection, which is known before the run. */
export function selectionRefusals(selection: Report['selection']): string[] {
  const { surfaces = [], only = [], callbackWaitMs, runs, shard, contracts, capture, stopped } = selection ?? {};
  return [
    ...(surfaces.length > 0 ? [`Only some surfaces were run (${surfaces.join(', ')}).`] : []),
    ...(only.length > 0 ? [`Only some requirements were run (${only.join(', ')}).`] : []),
    ...(callbackWaitMs === undefined ? [] : ['The wait for a callback was shortened.']),
    ...(runs === undefined ? [] : [`Fewer generated events than usual were sent (${runs}).`]),
    ...(contracts ? ['Only contracts were verified; no suite was run.'] : []),
    ...(capture ? ['Only recorded traffic was judged; nothing was sent.'] : []),
    ...(stopped ? ['The run was stopped before all checks had run.'] : []),
    ...(shard ? [`It is shard ${shard.index} of ${shard.of}; combine all shards with report merge first.`] : []),
  ];
}

/** Reasons in the environment, which is known before the run. */
export function environmentRefusals(environment: Report['environment']): string[] {
  const { insecure = [], allowedHttp = [] } = environment ?? {};
  return [
    ...(insecure.length > 0
      ? [
          `TLS verification was disabled by tls.insecure for ${insecure.join(', ')}; remove it, and name a private CA with tls.ca.`,
        ]
      : []),
    ...(environment && isDisabledByVariable(environment)
      ? [
          'TLS verification was disabled by NODE_TLS_REJECT_UNAUTHORIZED=0; unset it, and name a private CA with tls.ca or NODE_EXTRA_CA_CERTS.',
        ]
      : []),
    ...(allowedHttp.length === 0
      ? []
      : [`The traffic with ${allowedHttp.join(', ')} was not encrypted (--allow-http); certify over https: or wss:.`]),
  ];
}

function verdictRefusals({ verdict, summary }: Report): string[] {
  if (verdict === 'non-conformant') {
    return [`The endpoint is not conformant: ${counted(summary.fail, 'MUST requirement')} failed.`];
  }
  if (verdict === 'incomplete') {
    return summary.blocked > 0
      ? [`The run is incomplete: ${counted(summary.blocked, 'requirement')} could not be judged.`]
      : ['The run is incomplete: no requirement passed.'];
  }
  return [];
}

/** Even a waiver that excused nothing counts: a certificate requires a run without exceptions. */
function gateRefusals(gate: Report['gate']): string[] {
  const waived = gate?.waivers?.map(({ requirement }) => requirement) ?? [];
  return [
    ...(waived.length > 0 ? [`The config waives ${waived.join(', ')}; certify without waivers.`] : []),
    ...(gate && !gate.passed ? [`The gate of the run failed: ${gate.reasons.join(' ')}`] : []),
  ];
}

function cutOffRefusals({ checks }: Report): string[] {
  const cutBy = (code: CutOffCode) => checks.filter((check) => check.code === code).length;
  const [byBudget, byLimits] = [cutBy('budget-used'), cutBy('limit-used')];
  return [
    ...(byBudget === 0
      ? []
      : [`The time budget cut off ${counted(byBudget, 'check')}; certify with a larger --budget.`]),
    ...(byLimits === 0
      ? []
      : [`limits of the config cut off ${counted(byLimits, 'check')}; certify with larger limits.`]),
  ];
}

function subjectRefusals(report: Report): string[] {
  const { target, container, start, anonymized, requirements } = report;
  const passing = new Set(requirements.flatMap(({ id, verdict }) => (verdict === 'pass' ? surfaceOf(id) : [])));
  const unseen = Object.keys(target).filter((surface) => !passing.has(surface));
  const isConformant = report.verdict === 'conformant' || report.verdict === 'conformant-with-warnings';
  return [
    ...(anonymized ? ['The report is anonymised, so it does not identify what was judged; certify the original.'] : []),
    ...(Object.keys(target).length === 0 ? ['The report lists no target.'] : []),
    ...(isConformant && unseen.length > 0
      ? [`No requirement of ${unseen.join(', ')} passed; remove it from the config, or find out why.`]
      : []),
    ...(lacksKnownCaller(report)
      ? [
          'No lookup of a known contact was sent, and no answer had data; set stimuli.knownCaller to the phone number of a contact in your CRM.',
        ]
      : []),
    ...containerRefusals(target, container),
    ...(start?.exits === undefined ? [] : ['The endpoint ended during the run, and was started again.']),
  ];
}

function containerRefusals(target: Report['target'], container: Report['container']): string[] {
  const isInImage = Object.values(target).some(({ url }) => url?.includes('{container}') === true);
  if (!container) return isInImage ? ['An address is in a container, but the report does not name the image.'] : [];
  return [
    ...(imageDigest(container) === undefined ? ['The digest of the image that was run is not known.'] : []),
    ...(isInImage ? [] : ['None of the addresses is in the image that was run, so it was not judged.']),
    ...(container.exitCode === undefined
      ? []
      : [`The container exited with code ${container.exitCode} during the run.`]),
  ];
}

/** A run begins before its first exchange. Its end is not checked: merged shards may have run one after the other. */
function timeRefusals({ startedAt, exchanges }: Report, signedAt: Date): string[] {
  const from = Date.parse(startedAt) - clockToleranceMs;
  const until = signedAt.getTime() + clockToleranceMs;
  const isWithin = (time: string) => Date.parse(time) >= from && Date.parse(time) <= until;
  if (!(Date.parse(startedAt) <= until)) {
    return [`The run began at ${startedAt}, which is later than ${signedAt.toISOString()}.`];
  }
  return exchanges.every((exchange) => isWithin(exchange.startedAt))
    ? []
    : ['The report has exchanges from before or after the run; check the clock of the machine.'];
}
