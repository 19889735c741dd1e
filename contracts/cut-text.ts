/** A text of at most so many characters, cut between characters: what an endpoint answers has no bound of its own. */
export function cutText(text: string, most: number): string {
  // A character has two code units at the most.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
