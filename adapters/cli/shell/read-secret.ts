import { collect } from '../read-input.ts';
import { ShellError } from './shell-error.ts';

const MAX_BYTES = 64 * 1024;

/**
 * A secret from standard input: its first line. In a terminal it is asked for, and not shown as it is typed. It never stands
 * on the command line, which other users of the machine can read.
 */
export const readSecret = async (what: string, stderr: (text: string) => void): Promise<string> => {
  const { stdin } = process;
  const text = stdin.isTTY ? await typed(what, stderr) : String(await collect(stdin, MAX_BYTES));
  const [line = ''] = text.split(/\r?\n/);
  if (line.trim() === '') throw new ShellError(`There is no ${what} on standard input.`, 2);
  return line.trim();
};

/** A command that ends while it waits for a secret leaves the terminal as it was, and does not wait for the rest. */
export const releaseStdin = (): void => {
  const { stdin } = process;
  if (stdin.isTTY) stdin.setRawMode(false);
  stdin.destroy();
};

const typed = (what: string, stderr: (text: string) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const { stdin } = process;
    let text = '';
    stdin.setRawMode(true);
    // Asked once the terminal no longer shows what is typed.
    stderr(`The ${what}: `);
    stdin.resume();
    const end = (): void => {
      stdin.setRawMode(false);
      stdin.pause();
      stdin.off('data', read);
      stderr('\n');
    };
    const read = (part: Buffer): void => {
      for (const char of part.toString('utf8')) {
        if (char === '\u0003') {
          end();
          return reject(new ShellError('Nothing was done.', 130));
        }
        if (char === '\r' || char === '\n' || char === '\u0004') {
          end();
          return resolve(text);
        }
        text = char === '\u007f' ? text.slice(0, -1) : text + char;
      }
    };
    stdin.on('data', read);
  });
