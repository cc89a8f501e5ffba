/** Whether a header can hold it. */
export const isPlain = (text: unknown): text is string =>
  typeof text === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
