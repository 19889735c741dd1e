import { faultNames, faults, messageNamed, type FaultCode } from '../specs/faults/fault-table.ts';

const exitCodes = { 2: '2, wrong usage or config', 3: '3, incomplete: something could not be judged' } as const;

/** Describes a fault by its code, as pairs of a label and a description; `undefined` when no fault has this code. */
export function faultRows(code: string): [string, string][] | undefined {
  if (!Object.hasOwn(faults, code)) return undefined;
  const { meaning, remediation, exitCode } = faults[code as FaultCode];
  const messages = faultNames(code as FaultCode).map(messageNamed);
  // A message with arguments is known only where it is thrown; the others alone would seem to be all.
  const fixed = messages.every((message) => typeof message === 'string') ? messages : [];
  return [
    ['fault', meaning],
    ['fix', remediation],
    ['exit', exitCodes[exitCode]],
    ...fixed.map((text): [string, string] => ['message', text]),
  ];
}
