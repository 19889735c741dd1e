/** Output formats of a comparison of two reports, with their file extensions. */
export const diffFormats = { text: 'txt', markdown: 'md', json: 'json' } as const;

/** A value of `report diff --format`. */
export type DiffFormat = keyof typeof diffFormats;
