import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';

/** What a member must be, in words, and the test of it. */
interface Form {
  readonly is: string;
  readonly test: (value: JsonValue) => boolean;
}

export interface Member extends Form {
  readonly optional: boolean;
}

/** Exactly these members, the optional ones where they are wanted. */
export type Shape = Readonly<Record<string, Member>>;

const member = (is: string, test: Form['test']): Member => ({ is, test, optional: false });
const isHex =
  (length: number) =>
  (value: JsonValue): boolean =>
    typeof value === 'string' && value.length === length && /^[0-9a-f]*$/.test(value);

export const anything = member('any value', () => true);
export const nothing = member('null', (value) => value === null);
export const text = member('text', (value) => typeof value === 'string');
export const count = member(
  'a whole number from 0',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);
export const position = member(
  'a whole number from 1',
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
);
export const integer = member('an integer', (value) => Number.isSafeInteger(value));
export const flag = member('true or false', (value) => typeof value === 'boolean');
export const hash = member('64 lowercase hex characters', isHex(64));
export const keyId = member('32 lowercase hex characters', isHex(32));
export const time = member('an ISO 8601 UTC time with milliseconds', isTimestamp);
export const object = member('an object', isObject);
export const list = member('an array', (value) => Array.isArray(value));
export const objects = member(
  'an array of objects',
  (value) => Array.isArray(value) && (value as readonly JsonValue[]).every(isObject),
);
export const texts = member(
  'an array of texts',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
);
/** No proof in a tree of any size that can be counted is longer than 64. */
export const hashes = member(
  'an array of at most 64 hashes',
  (value) => Array.isArray(value) && value.length <= 64 && value.every(isHex(64)),
);
export const version = member(
  'a semantic version',
  (value) =>
    typeof value === 'string' &&
    /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:[-+][0-9A-Za-z.+-]+)?$/.test(value),
);
export const oneOfTexts = (...allowed: readonly string[]): Member =>
  member(allowed.map((value) => `"${value}"`).join(' or '), (value) =>
    allowed.includes(value as string),
  );
export const formOrNull = (form: Member): Member => ({
  ...form,
  is: `${form.is}, or null`,
  test: (value) => value === null || form.test(value),
});
export const optional = (form: Member): Member => ({ ...form, optional: true });

/** Calls `fault` for each member that is missing, unknown or of another form; true where there was none but unknown ones. */
export const fits = (
  value: JsonValue | undefined,
  shape: Shape,
  what: string,
  fault: (detail: string) => void,
): value is JsonObject => {
  if (!isObject(value)) {
    fault(`${what} is not an object`);
    return false;
  }
  let sound = true;
  for (const [name, expected] of Object.entries(shape)) {
    const present = Object.hasOwn(value, name);
    if (present ? expected.test(value[name]!) : expected.optional) continue;
    sound = false;
    fault(present ? `${what}: ${name} is not ${expected.is}` : `${what}: ${name} is missing`);
  }
  for (const name of Object.keys(value))
    if (!Object.hasOwn(shape, name))
      fault(`${what}: the member ${JSON.stringify(name)} is unknown`);
  return sound;
};
