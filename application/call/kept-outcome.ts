import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError, isErrorCode, type ProblemMembers } from '../../domain/kernel/errors.ts';
import type { Operation, Shown } from './operation.ts';

/** What is kept of a call under an Idempotency-Key: what was shown, or the refusal. Counts up where its form changes. */
const FORM = 1;

type Kept =
  | { readonly form: number; readonly shown: Shown }
  | {
      readonly form: number;
      readonly refusal: {
        readonly code: string;
        readonly detail: string;
        readonly members: ProblemMembers;
        readonly requestId: string;
      };
    };

/** A refusal that is given again: it names the request that met it first. */
export class KeptRefusal extends NotaryError {
  constructor(
    code: NotaryError['code'],
    detail: string,
    members: ProblemMembers,
    readonly requestId: string,
  ) {
    super(code, detail, members);
  }
}

/** Without what is shown once. */
export const keepShown = ({ secrets }: Pick<Operation, 'secrets'>, shown: Shown): string =>
  JSON.stringify({
    form: FORM,
    shown: secrets.length === 0 ? shown : { ...shown, view: withoutSecrets(shown.view, secrets) },
  } satisfies Kept);

export const keepRefusal = ({ code, message, members }: NotaryError, requestId: string): string =>
  JSON.stringify({
    form: FORM,
    refusal: { code, detail: message, members, requestId },
  } satisfies Kept);

/**
 * What was kept, given again.
 *
 * @throws KeptRefusal where that is what the call met.
 * @throws NotaryError CONFLICT where another release kept it in a form that this one does not know.
 */
export const replay = (text: string): Shown => {
  const kept = read(text);
  if (!isObject(kept) || kept['form'] !== FORM) throw unknownForm();
  const { shown, refusal } = kept;
  if (isObject(shown) && 'view' in shown) return shownOf(shown);
  throw isObject(refusal) ? refusalOf(refusal) : unknownForm();
};

const read = (text: string): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
};

const shownOf = ({ view, version, isNew }: JsonObject): Shown => ({
  view,
  ...(typeof version === 'number' ? { version } : {}),
  ...(typeof isNew === 'boolean' ? { isNew } : {}),
});

const refusalOf = ({ code, detail, members, requestId }: JsonObject): NotaryError =>
  typeof code === 'string' &&
  isErrorCode(code) &&
  typeof detail === 'string' &&
  typeof requestId === 'string' &&
  isObject(members)
    ? new KeptRefusal(code, detail, members, requestId)
    : unknownForm();

const unknownForm = (): NotaryError =>
  new NotaryError(
    'CONFLICT',
    'The first request with this Idempotency-Key was answered by another release of the service, in a form that this one cannot repeat.',
    { suggestion: 'Read the resource, and use a new key where something is left to do.' },
  );

const ROTATE =
  'The secret was shown once, in the first answer, and is not kept. If you lost it, rotate it or mint another.';

/** Null in the place of each secret, and beside them a hint to rotate. */
const withoutSecrets = (value: unknown, secrets: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const clean = entries.map(
    ([name, member]) =>
      [name, secrets.includes(name) ? null : withoutSecrets(member, secrets)] as const,
  );
  return Object.fromEntries(
    entries.some(([name]) => secrets.includes(name)) ? [...clean, ['hint', ROTATE]] : clean,
  );
};
