/** What a command may say, and where. `isTTY` is true where somebody reads along. */
export interface Io {
  stdout(text: string): void;
  stderr(text: string): void;
  readonly isTTY: boolean;
}
