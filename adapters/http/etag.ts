import { NotaryError } from '../../domain/kernel/errors.ts';

/**
 * The strong ETag (RFC 9110 section 8.8.3) of a version.
 *
 * @param stage what else is shown by now at this version, in lowercase letters.
 */
export const etagOf = (version: number, stage?: string): string =>
  `"${version}${stage === undefined ? '' : `-${stage}`}"`;

/** The stage makes no difference to what may be done to a version. */
const ONE_VERSION = /^"(\d{1,15})(?:-[a-z]+)?"$/;

/**
 * The versions that If-Match accepts; undefined where the header is missing or `*`, which every
 * existing record matches.
 *
 * @throws NotaryError PRECONDITION_FAILED where the header holds no ETag of a record: If-Match
 *   compares strongly, so a weak tag matches nothing (RFC 9110 section 13.1.1).
 */
export const ifMatchVersions = (header: string | undefined): readonly number[] | undefined => {
  if (header === undefined || header.trim() === '*') return undefined;
  const versions = header
    .split(',')
    .flatMap((tag) => ONE_VERSION.exec(tag.trim())?.[1] ?? [])
    .map(Number);
  if (versions.length === 0)
    throw new NotaryError(
      'PRECONDITION_FAILED',
      'If-Match holds no ETag of this record. Send the one that GET of the record answers, such as "3".',
    );
  return versions;
};

/** If-None-Match compares weakly (RFC 9110 section 13.1.2). */
export const matchesAny = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' ||
  ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
