import { NotaryError } from '../../domain/kernel/errors.ts';
import { rangeOf } from './media-type.ts';

/** What a document that is sent often comes in, best first (RFC 9110 section 8.4.1). */
export const CONTENT_CODINGS = ['br', 'gzip', 'identity'] as const;

export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** Less than any weight that a client can give: what is not named is taken, but not preferred. */
const UNNAMED = 0.0001;

/**
 * The coding that Accept-Encoding prefers (RFC 9110 section 12.5.3); of equal ones the best.
 *
 * @throws NotaryError NOT_ACCEPTABLE where it takes none, not even the document as it is.
 */
export const chooseCoding = (acceptEncoding: string | undefined): ContentCoding => {
  if (acceptEncoding === undefined) return 'identity';
  const ranges = acceptEncoding.split(',').map(rangeOf);
  const weightOf = (name: string): number | undefined =>
    ranges.find(({ type }) => type === name)?.quality;
  const weights: { readonly [coding in ContentCoding]: number } = {
    br: weightOf('br') ?? weightOf('*') ?? 0,
    // Section 8.4.1.3: an older name of the same.
    gzip: weightOf('gzip') ?? weightOf('x-gzip') ?? weightOf('*') ?? 0,
    identity: weightOf('identity') ?? weightOf('*') ?? UNNAMED,
  };
  const best = Math.max(...Object.values(weights));
  if (best > 0) return CONTENT_CODINGS.find((coding) => weights[coding] === best)!;
  throw new NotaryError(
    'NOT_ACCEPTABLE',
    `This comes as ${CONTENT_CODINGS.join(' or ')}, and Accept-Encoding takes none of it.`,
    {
      allowedValues: CONTENT_CODINGS,
      suggestion: 'Send Accept-Encoding with a coding listed in allowedValues, or without it.',
    },
  );
};
