import { InvalidArgumentError, Option } from 'commander';

/** `--format`: names of report formats, repeatable or comma-separated. */
export function formatOption(description: string): Option {
  return new Option('--format <name>', description).argParser((value: string, earlier: string[] | undefined) => {
    const names = value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) throw new InvalidArgumentError('expected the name of a format, received nothing');
    return [...(earlier ?? []), ...names];
  });
}
