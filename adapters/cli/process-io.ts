import type { Io } from './io.ts';

export const processIo: Io = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  isTTY: process.stdout.isTTY === true && process.stderr.isTTY === true,
};

// Whoever reads the output may leave, as in `notary config | head -1`. That is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
