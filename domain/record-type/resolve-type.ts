import { NotaryError } from '../kernel/errors.ts';
import type { RecordType } from './manifest.ts';

export interface TypeRequest {
  readonly type: string;
  readonly publisher?: string;
  /** Absent: the newest active version. */
  readonly contractVersion?: number;
}

/**
 * Picks the record type that a new record pins.
 *
 * `versions` are all publishers and versions of the name in the org, `activeNames` the names that could be used
 * instead.
 *
 * @throws NotaryError AMBIGUOUS_PUBLISHER with `publishers`; UNPROCESSABLE with `allowedValues` where the
 *   name, the publisher or the version is unknown or disabled.
 */
export const resolveType = (
  request: TypeRequest,
  versions: readonly RecordType[],
  activeNames: readonly string[],
): RecordType => {
  const name = JSON.stringify(request.type);
  if (versions.length === 0)
    throw refusal(
      `The record type ${name} is not registered in the org of the principal.`,
      '/type',
      activeNames,
      'Let an admin of the org register it (POST /v1/schemas) or import it from another org (POST /v1/schemas/import), or use one of allowedValues.',
    );

  const publishers = [...new Set(versions.map((type) => type.publisher))].sort();
  if (request.publisher !== undefined && !publishers.includes(request.publisher))
    throw refusal(
      `${JSON.stringify(request.publisher)} publishes no record type ${name} here.`,
      '/publisher',
      publishers,
      'Use one of allowedValues, or leave publisher out.',
    );
  const published =
    request.publisher === undefined
      ? versions
      : versions.filter((type) => type.publisher === request.publisher);
  const active = published
    .filter((type) => type.status === 'active')
    .sort((a, b) => b.version - a.version);
  if (active.length === 0)
    throw refusal(
      `The record type ${name} is disabled and takes no new records.`,
      '/type',
      activeNames,
      'Enable the type, or use one of allowedValues.',
    );

  const candidates = [...new Set(active.map((type) => type.publisher))].sort();
  if (candidates.length > 1)
    throw new NotaryError(
      'AMBIGUOUS_PUBLISHER',
      `The record type ${name} is registered by ${candidates.length} publishers.`,
      { publishers: candidates, recordType: request.type },
    );

  const chosen =
    request.contractVersion === undefined
      ? active[0]
      : active.find((type) => type.version === request.contractVersion);
  if (chosen) return chosen;
  const disabled = published.some((type) => type.version === request.contractVersion);
  throw refusal(
    `Version ${request.contractVersion} of the record type ${name} is ${disabled ? 'disabled' : 'not registered'}.`,
    '/contractVersion',
    active.map((type) => type.version),
    'Use one of allowedValues, or leave contractVersion out for the newest.',
  );
};

const refusal = (
  detail: string,
  path: string,
  allowedValues: readonly (string | number)[],
  suggestion: string,
): NotaryError =>
  new NotaryError('UNPROCESSABLE', detail, {
    allowedValues,
    suggestion,
    errors: [{ path, keyword: 'enum', message: detail }],
  });
