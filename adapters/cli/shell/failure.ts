import { isUnavailable, NotaryProblem, NotaryUnreachable } from '../../client/notary-problem.ts';
import { InputError, reasonOf } from '../input-error.ts';
import type { Session } from './session.ts';
import { EXIT, ShellError, Unanswered } from './shell-error.ts';

/** How a command failed, in words, as data, and as an exit code. */
export interface Failure {
  readonly sentences: readonly string[];
  readonly exitCode: number;
  /** The problem document of the service where there is one. */
  readonly problem: object;
}

export const failureOf = (error: unknown, session: Session | null): Failure => {
  const failure = kindOf(error, session);
  // An answer of a service may be as long as it likes.
  return { ...failure, sentences: failure.sentences.map((text) => text.slice(0, MAX_SENTENCE)) };
};

const MAX_SENTENCE = 4_000;

const kindOf = (error: unknown, session: Session | null): Failure => {
  if (error instanceof Unanswered) return repeatable(kindOf(error.cause, session), error);
  if (error instanceof NotaryUnreachable) return away(error.message, session);
  if (error instanceof NotaryProblem)
    return isUnavailable(error)
      ? away(error.detail, session, error.document)
      : refused(error, session);
  if (error instanceof ShellError) return told(error.message, error.exitCode);
  if (error instanceof InputError) return told(error.message, EXIT.wrongInput);
  return told(reasonOf(error), EXIT.refused);
};

const told = (detail: string, exitCode: number): Failure => ({
  sentences: [detail],
  exitCode,
  problem: { code: null, detail },
});

const away = (why: string, session: Session | null, document: object | null = null): Failure => {
  const what = session === null ? 'The service' : `The service at ${session.url}`;
  const detail = `${what} does not answer: ${why}.`;
  return {
    sentences: [
      detail,
      ...(session?.context?.directory
        ? ['It is one of this machine; start it with: notary init']
        : []),
      PERHAPS_DONE,
    ],
    exitCode: EXIT.serviceAway,
    problem: document ?? { code: null, detail },
  };
};

const PERHAPS_DONE =
  'What was sent may have taken effect all the same: look before you send it again.';

const repeatable = (failure: Failure, { idempotencyKey }: Unanswered): Failure => ({
  ...failure,
  sentences: [
    ...failure.sentences.filter((text) => text !== PERHAPS_DONE),
    `What was sent may have taken effect all the same. To run it again and seal nothing twice, add: --idempotency-key ${idempotencyKey}`,
  ],
});

const refused = (problem: NotaryProblem, session: Session | null): Failure => {
  const { detail, suggestion, status, document, requestId } = problem;
  const isCredential = status === 401;
  const errors = (document as { errors?: unknown } | null)?.errors;
  return {
    sentences: [
      ...(isCredential ? [credentialWords(session)] : []),
      detail,
      ...(Array.isArray(errors) ? errors.slice(0, MAX_ERRORS).map(errorWords) : []),
      ...(typeof suggestion !== 'string' || isCredential ? [] : [suggestion]),
      ...(status === 403 ? adminHint(session) : []),
      ...(document === null ? [`the request id is ${requestId ?? 'unknown'}`] : []),
    ],
    exitCode: isCredential ? EXIT.noCredential : EXIT.refused,
    problem: document ?? { code: null, status, detail },
  };
};

const MAX_ERRORS = 10;

const errorWords = (error: unknown): string => {
  const { path, pointer, message, detail } = Object(error) as Readonly<Record<string, unknown>>;
  const word = (value: unknown): string => (typeof value === 'string' ? value : '');
  return `  ${word(path ?? pointer)}: ${word(message ?? detail)}`;
};

const credentialWords = (session: Session | null): string => {
  const context = session?.context;
  if (!context) return 'The key in NOTARY_API_KEY is not good at this service.';
  const { credential } = context;
  const { expiresAt } = credential;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const what = credential.kind === 'api-key' ? 'key' : 'certificate';
  const place = context.directory === null ? ` ${context.url}` : '';
  const again =
    credential.kind === 'api-key'
      ? `notary init${place} --context ${session.name}`
      : `notary login --context ${session.name}`;
  return `The ${what} of the context ${session.name} ${isOver ? `expired at ${expiresAt}` : 'is not good any more'}. Get another one with: ${again}`;
};

/** An administrator of the same service may stand in the profile too. */
const adminHint = (session: Session | null): string[] => {
  const { context, profile } = session ?? {};
  if (!context || !profile) return [];
  return [...profile.contexts]
    .filter(
      ([, one]) => one.url === context.url && one.role === 'admin' && context.role !== 'admin',
    )
    .slice(0, 1)
    .map(([name]) => `An administrator of this service is the context ${name}: --context ${name}`);
};
