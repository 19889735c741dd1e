import { Option } from 'commander';

/** An option whose values are collected, each of them comma-separated. `none` describes the default. */
export function listOption(flags: string, description: string, none = 'all'): Option {
  return new Option(flags, description).argParser(collect).default([], none);
}

function collect(value: string, earlier: string[]): string[] {
  return [
    ...earlier,
    ...value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ];
}
