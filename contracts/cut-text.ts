/** A string cut to a maximum number of characters: answers of an endpoint have no limit. */
export function cutText(text: string, most: number): string {
  // A character has at most two code units.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
