import { NotaryError } from '../../domain/kernel/errors.ts';
import { LINE_PATTERN, refusedCharacter } from '../../domain/kernel/plain-text.ts';

/**
 * A parameter of a URL is one line of text: no name and no id holds a control character, and not every database takes
 * one as a value to look for.
 *
 * @throws NotaryError VALIDATION_ERROR
 */
export const assertOneLine = (text: string, noun: string, name: string): void => {
  if (!CONTROL.test(text)) return;
  const found = refusedCharacter(text, LINE_PATTERN) ?? 'a control character';
  throw new NotaryError('VALIDATION_ERROR', `${noun} holds ${found}.`, {
    errors: [{ path: `/${name}`, keyword: 'characters', message: `must not hold ${found}` }],
    suggestion: 'Send one line of text, without control characters.',
  });
};

const CONTROL = /\p{Cc}/u;
