/** Reads the value of a run's input from a string. Throws {@link RangeError} that states what was expected. */
export type ReadValue<Value> = (text: string) => Value;

export function wholeNumber(least: number, most: number): ReadValue<number> {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new RangeError(`expected a whole number from ${least} to ${most}`);
  };
}

export function secondsUpTo(most: number): ReadValue<number> {
  return (text) => {
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    if (number > 0 && number <= most) return number;
    throw new RangeError(`expected seconds, more than 0 and at most ${most}`);
  };
}

/** The path of a counterexample. After `~` it states which steps of a dialogue were played. */
export function counterexamplePath(text: string): string {
  if (/^\d+(:\d+)*(~[\w+/]*:[\w+/]*)?$/.test(text)) return text;
  throw new RangeError('expected the path of a counterexample, as a report shows it');
}
