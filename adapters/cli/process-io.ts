import type { Io } from './io.ts';

export const processIo: Io = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  isTTY: process.stdout.isTTY === true && process.stderr.isTTY === true,
};
