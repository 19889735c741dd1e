import { formatNames, isFormatName, type ReportFormat } from '../../reports/text/format-names.ts';
import { suggestion } from '../../specs/nearest.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** The requested formats, each once. Throws {@link HarnessFault} for an unknown name. */
export async function parseFormatNames(names: readonly string[]): Promise<ReportFormat[]> {
  const known = names.map((name) => {
    if (isFormatName(name)) return name;
    throw new HarnessFault('name-unknown:format', {
      format: name,
      known: formatNames,
      near: suggestion(name, [...formatNames]),
    });
  });
  return [...new Set(known)];
}
