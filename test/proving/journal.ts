/** Effects of events at the endpoint: its state, shown to `observe`. */
export class Journal {
  readonly entries: string[] = [];

  add(entry: string): void {
    this.entries.push(entry);
  }
}
