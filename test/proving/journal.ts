/** What the endpoint did because of events: its state, shown to `observe`. */
export class Journal {
  readonly entries: string[] = [];

  add(entry: string): void {
    this.entries.push(entry);
  }
}
