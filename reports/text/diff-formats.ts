/** How a comparison of two reports can be told, each with the ending of its file. */
export const diffFormats = { text: 'txt', markdown: 'md', json: 'json' } as const;

/** A name that `report diff --format` takes. */
export type DiffFormat = keyof typeof diffFormats;
