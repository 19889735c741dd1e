import { InvalidArgumentError, Option } from 'commander';
import { formatNames, isFormatName, type FormatName } from '../reports/text/format-names.ts';
import { suggestion } from '../specs/nearest.ts';
import { UsageError } from './usage-error.ts';

/** `--format`: names of report formats, repeatable or in a list with commas. */
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

/** The formats that were asked for, each once. Throws {@link UsageError} for a name that there is not. */
export async function formatsNamed(names: readonly string[]): Promise<FormatName[]> {
  const known = names.map((name) => {
    if (isFormatName(name)) return name;
    throw new UsageError(
      `--format ${name}: no such format.${suggestion(name, [...formatNames])} There are ${formatNames.join(', ')}.`,
    );
  });
  return [...new Set(known)];
}
