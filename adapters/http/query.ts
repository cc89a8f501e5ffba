import type { TObject } from 'typebox';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { assertOneLine } from './one-line.ts';

/**
 * The query as an object. Integers and booleans are parsed as the schema declares them; a value
 * that does not fit stays text, for the validator to refuse. The + before the offset of a time is not read as a space,
 * because no time has a space there and many clients send it unescaped.
 *
 * @throws NotaryError VALIDATION_ERROR on a broken percent escape, a repeated parameter or a control character.
 */
export const parseQuery = (search: string, schema: TObject): { [name: string]: unknown } => {
  const query: { [name: string]: unknown } = {};
  if (search === '') return query;
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const raw = pair.slice(at + 1);
    const text =
      at < 0 ? '' : decode(isTime(schema, name) ? raw.replace(OFFSET_PLUS, '%2B$1') : raw);
    assertOneLine(text, `The query parameter ${JSON.stringify(name.slice(0, 100))}`, name);
    if (Object.hasOwn(query, name))
      throw new NotaryError(
        'VALIDATION_ERROR',
        `The query parameter ${JSON.stringify(name)} stands twice.`,
        { errors: [{ path: `/${name}`, keyword: 'unique', message: 'stands twice' }] },
      );
    Object.defineProperty(query, name, {
      value: valueOf(text, declaredType(schema, name)),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return query;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new NotaryError(
      'VALIDATION_ERROR',
      'The query holds a broken percent escape.',
      {},
      { cause },
    );
  }
};

const declaredType = (schema: TObject, name: string): unknown =>
  Object.hasOwn(schema.properties, name)
    ? (schema.properties[name] as { type?: unknown }).type
    : undefined;

const isTime = (schema: TObject, name: string): boolean =>
  Object.hasOwn(schema.properties, name) &&
  (schema.properties[name] as { format?: unknown }).format === 'date-time';

const OFFSET_PLUS = /\+(\d\d(?::|%3A)\d\d)$/i;

const INTEGER = /^-?[0-9]{1,15}$/;

const valueOf = (text: string, type: unknown): unknown => {
  if (type === 'integer' && INTEGER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};
