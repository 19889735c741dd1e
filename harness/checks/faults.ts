import type { PauseRequest } from '../../specs/generated/types.ts';
import {
  faultCode,
  faults,
  formatFault,
  messageNamed,
  type FaultArguments,
  type FaultCode,
  type FaultName,
} from '../../specs/faults/fault-table.ts';

export type { FaultCode } from '../../specs/faults/fault-table.ts';

/** A fault as data, for another process or to change an argument. */
export type FaultData = {
  [Name in FaultName]: { readonly name: Name; readonly args: FaultArguments<Name>[0] };
}[FaultName];

/**
 * A fault of the harness, the set-up or the command, with a code and a message of the table in `specs/faults/`. It
 * never fails a requirement: it makes a check `blocked`, or ends the command with {@link HarnessFault.exitCode}.
 */
export class HarnessFault<Name extends FaultName = FaultName> extends Error {
  override readonly name = 'HarnessFault';
  readonly code: FaultCode;
  // Not a field, which a console would print.
  readonly #data: FaultData;

  /** @param rest the arguments of the message, if it has any, and the cause */
  constructor(name: Name, ...rest: [...args: FaultArguments<Name>, options?: ErrorOptions]) {
    const [args, options] = typeof messageNamed(name) === 'string' ? [undefined, rest[0]] : rest;
    super(formatFault(name, ...([args] as FaultArguments<Name>)), options as ErrorOptions | undefined);
    this.code = faultCode(name);
    this.#data = { name, args } as FaultData;
  }

  /** Restores a fault from its data. */
  static from({ name, args }: FaultData, options?: ErrorOptions): HarnessFault {
    return new HarnessFault<FaultName>(
      name,
      ...((args === undefined ? [options] : [args, options]) as [...FaultArguments<FaultName>, ErrorOptions?]),
    );
  }

  /** The pause that the endpoint asked for, if that is the fault. */
  get pause(): PauseRequest | undefined {
    const { args } = this.#data;
    return args && 'pause' in args ? args.pause : undefined;
  }

  /** Which message it has, and the arguments of it. */
  get data(): FaultData {
    return this.#data;
  }

  /** 2 when the user can change the command, the config or a file; 3 when something could not be judged. */
  get exitCode(): 2 | 3 {
    return faults[this.code].exitCode;
  }
}

/** Thrown by a check that the endpoint gave nothing to judge, in a permitted way. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
  /** Other traffic of the run may be the reason, such as a limit that all surfaces share. */
  readonly mayBeOfTraffic: boolean;

  constructor(why: string, { mayBeOfTraffic = false } = {}) {
    super(why);
    this.mayBeOfTraffic = mayBeOfTraffic;
  }
}

/** Thrown by a check of an option that the run does not have. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}
