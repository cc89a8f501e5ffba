import type { CelError } from '@bufbuild/cel';
import { LINE_PATTERN, refusedCharacter } from '../../domain/kernel/plain-text.ts';
import { shownMessage } from './cel-fault.ts';
import type { CelProgram } from './cel-program.ts';

/**
 * Why an evaluation failed, and where. It is sealed for ever, so it may name kinds, functions and
 * what the expression spells, but must not contain content. A message that is not known to be free
 * of content is replaced.
 */
export const runtimeFault = (
  { message, exprId }: CelError,
  expression: string,
  program: CelProgram,
): string => {
  const place = program.placeOf(exprId);
  const said = shownMessage(message) ?? ofLibrary(message, expression);
  return `${said.slice(0, 200)}${place === null ? '' : ` (${place})`}`;
};

const isLine = (text: string): boolean => refusedCharacter(text, LINE_PATTERN) === null;

/** The errors that the library makes itself, where it looks up members and conditions. */
const ofLibrary = (message: string, expression: string): string => {
  const member = /^field not found: ([^]*)$/.exec(message)?.[1];
  if (member !== undefined)
    return expression.includes(member) && member !== '' && isLine(member)
      ? `there is no member ${JSON.stringify(member)}`
      : 'there is no such member';
  const index = /^index (\d+) out of bounds/.exec(message)?.[1];
  if (index !== undefined && expression.includes(index))
    return `a list has no element at the index ${index}`;
  const condition =
    /^type mismatch: expected bool, got ([\w.]+)/.exec(message)?.[1] ??
    /^found no matching overload for _\?_:_ applied to '\(([\w.]+)\)'$/.exec(message)?.[1];
  if (condition !== undefined) return `a condition is no bool but ${condition}`;
  return 'a value could not be used as the expression asks';
};
