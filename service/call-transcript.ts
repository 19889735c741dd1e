/** Joins the pieces of speech of the AI in a call, so that each answer is one turn of the transcript. */
export class CallTranscript {
  readonly #book: (text: string) => void;
  #open = '';

  /** @param book called with each answer as the caller heard it */
  constructor(book: (text: string) => void) {
    this.#book = book;
  }

  /** A piece of an answer; `last` closes it. */
  add(text: string, last: boolean): void {
    this.#open += text;
    if (last) this.close();
  }

  /** The answer is over: closed, interrupted, or the caller speaks again. */
  close(): void {
    const text = this.#open;
    this.#open = '';
    if (text !== '') this.#book(text);
  }
}
