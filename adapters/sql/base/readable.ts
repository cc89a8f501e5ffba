/** Null where somebody wrote into a row what no value is made of. */
export const readable = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
};

export const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
