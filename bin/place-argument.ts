import { InvalidArgumentError } from 'commander';

/** Reads a file or directory of a flag; refuses an empty value, which an unset variable of a script produces. */
export function placeArgument(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('expected a file or directory, received nothing');
  return value;
}
