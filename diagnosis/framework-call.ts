import type { DiagnosedSurface } from '../specs/generated/types.ts';
import type { CauseId } from './causes.ts';
import type { ShownFramework } from './detect-framework.ts';
import { frameworkCalls } from './framework-calls.ts';

/** The call to change for a cause on a surface in this framework, as a sentence; `undefined` if none decides it. */
export function adviseCall(
  id: CauseId,
  surface: DiagnosedSurface,
  { name, sign, language }: ShownFramework,
): string | undefined {
  const group = frameworkCalls.find(({ causes, surfaces }) => causes.test(id) && surfaces?.includes(surface) !== false);
  const call = group?.calls[name];
  if (group === undefined || call === undefined) return undefined;
  const unless = group.unless?.[name];
  const advice = `${group.act} ${call}${unless === undefined ? '' : `, ${unless}`}.`;
  if (sign === undefined) return `In ${name}: ${advice}`;
  const suggested = language === undefined ? name : `${language}, in ${name} for example`;
  return `The ${sign} suggests ${suggested}: ${advice}`;
}
