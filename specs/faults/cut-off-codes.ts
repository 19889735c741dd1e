/** Codes of what was not sent because the time or another limit of the run was used up, or --bail stopped it. */
export const cutOffCodes = ['budget-used', 'limit-used', 'run-stopped'] as const;

export type CutOffCode = (typeof cutOffCodes)[number];

export function isCutOffCode(code: string | undefined): code is CutOffCode {
  return cutOffCodes.some((one) => one === code);
}
