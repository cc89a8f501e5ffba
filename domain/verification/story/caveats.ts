import type { Standing } from '../report/story.ts';

/** What a reader has to know before a story: how far the report lets anyone rely on it. */
export const caveatsOf = ({
  kind,
  verdict,
  why,
  trust,
  failureCount,
}: Standing): readonly string[] => [
  ...(verdict === 'invalid'
    ? [
        `NOT VERIFIED: the file is INVALID, with ${failureCount} ${failureCount === 1 ? 'failure' : 'failures'}. This is what the file says; it was changed, or never was what it claims to be`,
      ]
    : verdict === 'cannot_tell'
      ? [
          trust === 'none'
            ? 'NOT VERIFIED: no key from elsewhere was given. This is what the file says; anyone could have made such a file'
            : `NOT VERIFIED: ${lowerFirst(why ?? 'nothing is proven')}. This is what the file says`,
        ]
      : trust === 'embedded'
        ? [
            'VERIFIED BY ITS OWN KEYS ONLY: the file agrees with itself. Whoever made it could have made the keys as well',
          ]
        : []),
  ...(kind === 'signed-statement' || kind === 'sigstore-bundle'
    ? ['One statement alone: what came before it and after it does not show here']
    : []),
];

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
