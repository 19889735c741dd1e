/** The words of a command line as `shellCommand` writes it: plain, or within single quotes. */
export function shellWords(command: string): string[] {
  return Array.from(command.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|\\(.)/g, (_, quoted: string | undefined, escaped: string | undefined) => {
      return quoted ?? escaped ?? '';
    }),
  );
}
