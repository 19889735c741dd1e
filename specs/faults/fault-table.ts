import { checkFaults } from './check-faults.ts';
import { configFaults } from './config-faults.ts';
import { endpointFaults } from './endpoint-faults.ts';
import type { FaultMessage, FaultRow } from './fault-row.ts';
import { fileFaults } from './file-faults.ts';
import { selectionFaults } from './selection-faults.ts';
import { systemFaults } from './system-faults.ts';

/** Topics of the table, in the order of docs/reference/faults.md. */
export const faultTopics = {
  'Config, secrets and addresses': configFaults,
  'Command and selection': selectionFaults,
  Files: fileFaults,
  'Endpoint and client': endpointFaults,
  Checks: checkFaults,
  'Machine, containers and svc-conform': systemFaults,
} as const satisfies Readonly<Record<string, Readonly<Record<string, FaultRow>>>>;

const table = {
  ...configFaults,
  ...selectionFaults,
  ...fileFaults,
  ...endpointFaults,
  ...checkFaults,
  ...systemFaults,
};

type Table = typeof table;

/** Every fault and usage error, with its messages, exit code and documentation. */
export const faults: Readonly<Record<FaultCode, FaultRow>> = table;

/** Stable: reports, events and scripts of integrators contain these codes. */
export type FaultCode = keyof Table;

/** A message of the table: a code, or `code:situation` where a code has several messages. */
export type FaultName = {
  [Code in FaultCode]: Table[Code]['message'] extends FaultMessage
    ? Code
    : `${Code}:${keyof Table[Code]['message'] & string}`;
}[FaultCode];

type MessageOf<Name extends FaultName> = Name extends FaultCode
  ? Table[Name]['message']
  : Name extends `${infer Code extends FaultCode}:${infer Situation}`
    ? Situation extends keyof Table[Code]['message']
      ? Table[Code]['message'][Situation]
      : never
    : never;

/** The arguments of a throw site after the name: an object of typed arguments, or nothing. */
export type FaultArguments<Name extends FaultName> = Name extends FaultName
  ? MessageOf<Name> extends (args: infer Arguments) => string
    ? [args: Arguments]
    : []
  : never;

/** The code of a message. */
export function faultCode(name: FaultName): FaultCode {
  return name.split(':', 1)[0] as FaultCode;
}

/** The names of all messages of a code. */
export function faultNames(code: FaultCode): FaultName[] {
  const { message } = faults[code];
  if (typeof message === 'string' || typeof message === 'function') return [code as FaultName];
  return Object.keys(message).map((situation) => `${code}:${situation}` as FaultName);
}

/** Formats the message of a fault. */
export function formatFault<Name extends FaultName>(name: Name, ...[args]: FaultArguments<Name>): string {
  const message = messageNamed(name);
  return typeof message === 'string' ? message : message(args as never);
}

/** The message of the table with this name. */
export function messageNamed(name: FaultName): FaultMessage {
  const { message } = faults[faultCode(name)];
  if (typeof message === 'string' || typeof message === 'function') return message;
  const { [name.slice(name.indexOf(':') + 1)]: found } = message;
  if (found === undefined) throw new TypeError(`expected a message of the table of faults, received ${name}`);
  return found;
}
