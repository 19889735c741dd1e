/** One invalid key of a config. Contains no secret: `received` describes a value that may be one. */
export interface ConfigProblem {
  /** `chat.url`; the flag where a flag gave the value; `the config` for the whole. */
  readonly key: string;
  readonly expected: string;
  readonly received: string;
  /** The fix, as a sentence. */
  readonly hint?: string;
}

/** The message about an invalid config. The only place that formats its problems. */
export function formatConfigProblems({
  source,
  problems,
}: {
  source?: string | undefined;
  problems: readonly ConfigProblem[];
}): string {
  const lines = problems.map(({ key, expected, received, hint }) => {
    const line = `${key}: expected ${expected}, received ${received}`;
    return hint === undefined ? line : `${line}. ${hint}`;
  });
  if (source === undefined) return lines.join('\n');
  return [`${source} is not valid:`, ...lines.map((line) => `  ${line}`)].join('\n');
}
