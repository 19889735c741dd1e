/** Splits a command line of `shellCommand` into words: plain, or in single quotes. */
export function splitCommand(command: string): string[] {
  return Array.from(command.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|\\(.)/g, (_, quoted: string | undefined, escaped: string | undefined) => {
      return quoted ?? escaped ?? '';
    }),
  );
}
