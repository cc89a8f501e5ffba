import type { Io } from './io.ts';

/** Whoever prints what is shown once hears of a fault itself. */
let isHeard = false;

export const processIo: Io = {
  stdout: (text) => void process.stdout.write(text),
  print: (text) => {
    isHeard = true;
    return new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  },
  stderr: (text) => void process.stderr.write(text),
  isTTY: process.stdout.isTTY === true && process.stderr.isTTY === true,
};

// Whoever reads the output may leave, as in `notary config | head -1`. That is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isHeard) return;
  process.stderr.write(`notary: standard output cannot be written: ${error.message}\n`);
  process.exit(1);
});
// Nobody is left to tell.
process.stderr.on('error', () => undefined);
