import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

/**
 * The schema of the criteria of a record type, for whoever asks a caller for what is missing. Null where there is no such type
 * for this caller: less is asked for then, and the call that follows is told why.
 *
 * @param look reads the type, as the caller may.
 */
export const askedCriteria = async (
  look: () => Promise<{ readonly shown: { readonly view: unknown } }>,
): Promise<JsonObject | null> => {
  try {
    const { view } = (await look()).shown;
    const { criteriaSchema } = view as { readonly criteriaSchema?: JsonValue };
    return isObject(criteriaSchema) ? criteriaSchema : null;
  } catch (error) {
    if (error instanceof NotaryError && PASSED_OVER.has(error.entry.kind)) return null;
    throw error;
  }
};

const PASSED_OVER: ReadonlySet<string> = new Set([
  'missing',
  'malformed',
  'unprocessable',
  'forbidden',
]);
