/** What is wrong with a file, as a sentence without its subject. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  constructor(
    message: string,
    readonly pointer = '',
  ) {
    super(message);
  }
}
