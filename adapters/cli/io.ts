/** The output of a command. `isTTY` is true where a person reads it in a terminal. */
export interface Io {
  stdout(text: string): void;
  stderr(text: string): void;
  readonly isTTY: boolean;
}
