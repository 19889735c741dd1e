import { describeAside } from '../../harness/capture/aside-reason.ts';
import { capturedSurfaces, type Capture } from '../../harness/capture/capture.ts';
import { configuredSurfaces } from '../../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { isRequirementId, requirements } from '../../specs/requirements/catalogue.ts';
import { isOfRecordings, knownChecks } from './known-checks.ts';
import { suggestion } from '../../specs/nearest.ts';
import type { RunOptions } from '../run-input.ts';
import type { SelectedChecks } from './select-checks.ts';
import { surfaces as everySurface, type Surface } from '../../specs/surfaces.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/**
 * Applies `--surface` and `--only` to a recording. Configured surfaces are included: their requirements are
 * `not-exercised` if the recording has no traffic of them.
 *
 * @throws HarnessFault for an unknown name, and when the selection is empty
 */
export async function selectCaptured(
  capture: Capture,
  config: ResolvedConfig,
  { surface: asked, only }: Pick<RunOptions, 'surface' | 'only'>,
): Promise<SelectedChecks> {
  const shown = capturedSurfaces(capture);
  const configured = everySurface.filter(
    (surface) => configuredSurfaces(config).includes(surface) || shown.some((one) => one === surface),
  );
  for (const name of asked) refuseUnknown('--surface', name, everySurface);
  const wanted = only.map((id) => id.split('#', 1)[0] ?? id);
  const known = (await knownChecks())?.filter(
    (check) => isOfRecordings(check) || check.requirement.startsWith('api-client/'),
  );
  const checks = known?.map(({ id }) => id) ?? [];
  for (const id of wanted) if (!isRequirementId(id)) refuseUnknown('--only', id, Object.keys(requirements));
  for (const id of only) if (known && id.includes('#')) refuseUnknown('--only', id, checks);
  const isSelected = (id: string) =>
    surfaces.some((surface) => id.startsWith(`${surface}/`)) && (wanted.length === 0 || wanted.includes(id));
  const surfaces = configured.filter((surface) => isAsked(surface, asked, wanted));
  if (!surfaces.some((surface) => shown.some((one) => one === surface))) {
    throw new HarnessFault('selection-empty:captured', {
      file: capture.file,
      shown,
      isNarrowed: asked.length + only.length > 0,
      skipped: formatSkipped(capture),
    });
  }
  return {
    configured,
    surfaces,
    isSelected,
    expected: known?.filter(
      (check) =>
        isSelected(check.requirement) &&
        (isOfRecordings(check) || capture.traffic !== undefined) &&
        (only.length === 0 || only.includes(check.id) || only.includes(check.requirement)),
    ),
  };
}

function isAsked(surface: Surface, asked: readonly string[], wanted: readonly string[]): boolean {
  const isNamed = asked.length === 0 || asked.includes(surface);
  return isNamed && (wanted.length === 0 || wanted.some((id) => id.startsWith(`${surface}/`)));
}

function refuseUnknown(flag: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new HarnessFault('name-unknown:captured', { flag, name, near: suggestion(name, known) });
}

function formatSkipped({ aside }: Capture): string {
  if (aside.length === 0) return '';
  const reasons = aside.map(({ reason, entries }) => `${describeAside(reason)} (${entries.length})`);
  return ` Skipped: ${reasons.join('; ')}.`;
}
