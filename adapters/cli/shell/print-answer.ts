import { printableLines } from '../../../domain/kernel/printable.ts';
import type { Io } from '../io.ts';
import { printableJson } from '../printable-json.ts';
import { failureOf } from './failure.ts';
import type { Session } from './session.ts';
import type { Answer, NextCommand } from './shell.ts';

/** Names, reasons and criteria are of others: no character of theirs acts on the terminal. */
export const printAnswer = (io: Io, { json, lines, next = [] }: Answer, asJson: boolean): void => {
  if (asJson) return io.stdout(printableJson(json));
  const text = [...lines, ...nextLines(next)].map(oneLine).join('\n');
  if (text !== '') io.stdout(`${text}\n`);
};

/** @returns the exit code */
export const printFailure = (
  io: Io,
  error: unknown,
  session: Session | null,
  asJson: boolean,
): number => {
  const { sentences, exitCode, problem } = failureOf(error, session);
  io.stderr(`${sentences.map((text) => `notary: ${oneLine(text)}`).join('\n')}\n`);
  if (asJson) io.stdout(printableJson({ problem, exitCode }));
  return exitCode;
};

/** A line stays one, whatever somebody put into it. */
export const oneLine = (text: string): string => printableLines(text.replaceAll('\n', '\\n'));

/** Nothing where nothing is possible, or nothing that may be copied. */
export const nextLines = (all: readonly NextCommand[]): string[] => {
  const next = all.filter(({ command }) => isPlainCommand(command));
  if (next.length === 0) return [];
  const width = Math.min(90, Math.max(...next.map(({ command }) => command.length)));
  return [
    '',
    'Next:',
    ...next.map(({ command, description }) => `  ${command.padEnd(width)}  ${description}`),
  ];
};

/**
 * Whether each shell reads it as words and nothing else. A command is there to be copied, and parts of it are what the
 * service said.
 */
const isPlainCommand = (command: string): boolean => /^[\w ./:,@=?%-]+$/.test(command);
