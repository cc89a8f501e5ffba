import { NotaryError } from '../../domain/kernel/errors.ts';

/** @throws NotaryError UNSUPPORTED_MEDIA_TYPE unless it is `application/json` or `application/*+json`, in UTF-8 where a charset is named. */
export const assertJsonMediaType = (contentType: string | undefined): void => {
  if (contentType === 'application/json') return;
  if (contentType !== undefined && JSON_TYPE.test(contentType)) return;
  const got =
    contentType === undefined
      ? 'The body has no Content-Type'
      : `The body is ${JSON.stringify(contentType.slice(0, 100))}`;
  throw new NotaryError(
    'UNSUPPORTED_MEDIA_TYPE',
    `${got}; it must be application/json or application/*+json, in UTF-8.`,
  );
};

/** @throws NotaryError UNSUPPORTED_MEDIA_TYPE unless it is one of these, with any parameters. */
export const assertMediaType = (
  contentType: string | undefined,
  wanted: readonly string[],
): void => {
  if (contentType !== undefined && wanted.includes(rangeOf(contentType).type)) return;
  const got =
    contentType === undefined
      ? 'The body has no Content-Type'
      : `The body is ${JSON.stringify(contentType.slice(0, 100))}`;
  throw new NotaryError('UNSUPPORTED_MEDIA_TYPE', `${got}; it must be ${wanted.join(' or ')}.`);
};

// RFC 9110 section 8.3.1; a charset is the only parameter that could change how the bytes are read.
const JSON_TYPE =
  /^application\/(?:json|[a-z0-9!#$&^_.-]+\+json)[ \t]*(?:;[ \t]*(?!charset)[a-z0-9!#$&^_.+-]+=(?:[^\s;"]+|"[^"]*")[ \t]*|;[ \t]*charset="?utf-8"?[ \t]*)*;?$/i;

/**
 * The media type among `offered` that Accept prefers (RFC 9110 section 12.5.1); of equal ones the
 * first.
 *
 * @throws NotaryError NOT_ACCEPTABLE where Accept takes none of them.
 */
export const chooseMediaType = (accept: string | undefined, offered: readonly string[]): string => {
  const first = offered[0]!;
  if (accept === undefined || accept === '*/*' || accept === first || accept.trim() === '')
    return first;
  const ranges = membersOf(accept).map(rangeOf);
  let best: { readonly type: string; readonly quality: number } | null = null;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  if (best) return best.type;
  throw new NotaryError(
    'NOT_ACCEPTABLE',
    `This comes as ${offered.join(' or ')}, and Accept takes none of it.`,
    { allowedValues: offered },
  );
};

/** Whether Accept names this type itself. */
export const namesMediaType = (accept: string | undefined, type: string): boolean =>
  accept !== undefined &&
  membersOf(accept).some((text) => {
    const range = rangeOf(text);
    return range.type === type && range.quality > 0;
  });

interface Range {
  readonly type: string;
  /** Whether it names the type without parameters, as all types of this service are. */
  readonly isExact: boolean;
  readonly quality: number;
}

/** The members of a list field (RFC 9110 section 5.6.1). */
export const membersOf = (field: string): readonly string[] =>
  splitAt(',', field).filter((member) => member.trim() !== '');

/** The parts between separators that are not in a quoted string (RFC 9110 section 5.6.4). */
const splitAt = (separator: ',' | ';', text: string): readonly string[] => {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') at++;
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
};

/** One member of Accept, or of Accept-Encoding, in lower case with its weight. */
export const rangeOf = (text: string): Range => {
  const [type = '', ...parameters] = splitAt(';', text).map((part) => part.trim().toLowerCase());
  const weight = parameters.findIndex((parameter) => parameter.startsWith('q='));
  const quality = weight === -1 ? 1 : Number(parameters[weight]!.slice(2));
  return {
    type,
    isExact: weight === 0 || parameters.length === 0,
    quality: quality >= 0 && quality <= 1 ? quality : 0,
  };
};

/** The most specific range that covers the type decides, whatever its weight. */
const qualityOf = (type: string, ranges: readonly Range[]): number => {
  const group = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const candidate of [type, group, '*/*']) {
    const ofType = ranges.filter((one) => one.type === candidate);
    // A range with parameters takes the type as well, and does not rule it out.
    const range =
      ofType.find(({ isExact }) => isExact) ?? ofType.find(({ quality }) => quality > 0);
    if (range) return range.quality;
  }
  return 0;
};

/**
 * A body with a content coding is not the content that is to be sealed (RFC 9110 section 8.4).
 * @throws NotaryError UNSUPPORTED_MEDIA_TYPE
 */
export const assertNotEncoded = (contentEncoding: string | undefined): void => {
  if (contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity') return;
  throw new NotaryError(
    'UNSUPPORTED_MEDIA_TYPE',
    `A body with Content-Encoding ${contentEncoding.slice(0, 40)} is not taken. Send it as it is.`,
  );
};
