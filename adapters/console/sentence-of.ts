import { NotaryProblem, NotaryUnreachable } from '../client/notary-problem.ts';
import { SignInError } from './session.ts';

/** What went wrong, and what to do, for a person. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof NotaryProblem) {
    if (error.status === 401)
      return 'The service does not take this key: it is unknown, revoked or expired.';
    const errors: unknown = error.document?.errors;
    const found = Array.isArray(errors) ? errors.slice(0, 3) : [];
    return [error.detail, ...found.map(messageIn), error.suggestion]
      .filter((text): text is string => typeof text === 'string' && text !== '')
      .map(asSentence)
      .join(' ');
  }
  if (error instanceof NotaryUnreachable && error.cause instanceof SyntaxError)
    return 'Something other than the service answers there. Look at the address, and at what stands before the service.';
  if (error instanceof NotaryUnreachable)
    return 'The service does not answer. Look whether it runs, and try again.';
  if (error instanceof SignInError) return error.message;
  return `The console failed: ${error instanceof Error ? error.message : String(error)}.`;
};

/** Whether the key is good no longer. */
export const isRefusedKey = (error: unknown): boolean =>
  error instanceof NotaryProblem && error.status === 401;

/** Whoever answers for the service may answer anything. */
const messageIn = (error: unknown): unknown => (error as { readonly message?: unknown })?.message;

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
