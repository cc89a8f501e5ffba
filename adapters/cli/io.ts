/** The output of a command. `isTTY` is true where a person reads it in a terminal. */
export interface Io {
  stdout(text: string): void;
  /** Resolves when standard output took the text, and rejects where it did not: for what is shown once. */
  print(text: string): Promise<void>;
  stderr(text: string): void;
  readonly isTTY: boolean;
}
