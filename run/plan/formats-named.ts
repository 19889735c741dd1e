import { formatNames, isFormatName, type ReportFormat } from '../../reports/text/format-names.ts';
import { suggestion } from '../../specs/nearest.ts';
import { UsageError } from '../usage-error.ts';

/** The requested formats, each once. Throws {@link UsageError} for an unknown name. */
export async function formatsNamed(names: readonly string[]): Promise<ReportFormat[]> {
  const known = names.map((name) => {
    if (isFormatName(name)) return name;
    throw new UsageError(
      `--format ${name}: no such format.${suggestion(name, [...formatNames])} Expected one of ${formatNames.join(', ')}.`,
    );
  });
  return [...new Set(known)];
}
