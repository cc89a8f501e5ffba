/** The path of this program, to start it again as another process. */
export const entryPoint = (): string => {
  const [, path] = process.argv;
  if (!path) throw new Error('the program does not know its own path');
  return path;
};

/** The address in a log line of a service that is ready; null for any other line. */
export const readyLine = (line: string): string | null => {
  try {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
    return msg === 'ready' && url ? url : null;
  } catch {
    return null;
  }
};
