import { formatNames, isFormatName, type ReportFormat } from '../../reports/text/format-names.ts';
import { suggestion } from '../../specs/nearest.ts';
import { UsageError } from '../usage-error.ts';

/** The formats that were asked for, each once. Throws {@link UsageError} for a name that there is not. */
export async function formatsNamed(names: readonly string[]): Promise<ReportFormat[]> {
  const known = names.map((name) => {
    if (isFormatName(name)) return name;
    throw new UsageError(
      `--format ${name}: no such format.${suggestion(name, [...formatNames])} There are ${formatNames.join(', ')}.`,
    );
  });
  return [...new Set(known)];
}
