import { isUnavailable, NotaryProblem, NotaryUnreachable } from '../../client/notary-problem.ts';
import { InputError, reasonOf } from '../input-error.ts';
import type { Session } from './session.ts';
import { EXIT, ShellError } from './shell-error.ts';

/** How a command failed, in words, as data, and as an exit code. */
export interface Failure {
  readonly sentences: readonly string[];
  readonly exitCode: number;
  /** The problem document of the service where there is one. */
  readonly problem: object;
}

export const failureOf = (error: unknown, session: Session | null): Failure => {
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
      session?.context?.directory
        ? 'It is one of this machine; start it with: notary init'
        : 'What was sent may have taken effect all the same: look before you send it again.',
    ],
    exitCode: EXIT.serviceAway,
    problem: document ?? { code: null, detail },
  };
};

const refused = (problem: NotaryProblem, session: Session | null): Failure => {
  const { detail, suggestion, status, document, requestId } = problem;
  const isCredential = status === 401;
  const errors = (document as { errors?: unknown } | null)?.errors;
  return {
    sentences: [
      ...(isCredential ? [credentialWords(session)] : []),
      detail,
      ...(Array.isArray(errors) ? errors.slice(0, MAX_ERRORS).map(errorWords) : []),
      ...(suggestion === null || isCredential ? [] : [suggestion]),
      ...(status === 403 ? adminHint(session) : []),
      ...(document === null ? [`the request id is ${requestId ?? 'unknown'}`] : []),
    ],
    exitCode: isCredential ? EXIT.noCredential : EXIT.refused,
    problem: document ?? { code: null, status, detail },
  };
};

const MAX_ERRORS = 10;

const errorWords = (error: unknown): string => {
  const { path, pointer, message, detail } = error as Readonly<Record<string, unknown>>;
  return `  ${String(path ?? pointer ?? '')}: ${String(message ?? detail ?? '')}`;
};

const credentialWords = (session: Session | null): string => {
  const context = session?.context;
  if (!context) return 'The key in NOTARY_API_KEY is not good at this service.';
  const { credential } = context;
  const { expiresAt } = credential;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const what = credential.kind === 'api-key' ? 'key' : 'certificate';
  const again =
    credential.kind === 'api-key'
      ? `notary init --context ${session.name}`
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
