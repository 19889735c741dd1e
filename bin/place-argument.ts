import { InvalidArgumentError } from 'commander';

/** A file or directory as a flag names it. A variable of a script that is not set leaves nothing, which means no place. */
export function placeArgument(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('expected a file or directory, received nothing');
  return value;
}
